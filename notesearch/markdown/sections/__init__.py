"""Text to structure: a note's sections, properties, links, tags and passages.

The steps, each in a module of its own: ``properties`` takes the properties off the text and
``written_values`` reads their dates and numbers; ``block_parser`` makes block tokens of the rest;
``bullet_tree`` turns the bullets of an outliner into headings; ``note_parser`` cuts the tokens into
sections; ``section_content`` collects the words of each, by ``inline_text`` and ``html_text``; and
``passage_cutting`` cuts these into passages.
"""
