"""Text to structure: a note's sections, properties, links, tags and passages.

``note_parser`` takes these steps: ``properties`` takes the properties off the text, and
``written_values`` reads their dates and numbers; the rest becomes block tokens, in which
``bullet_tree`` turns the bullets of an outliner into headings; the tokens are cut into sections;
and ``section_content`` collects the words of each, by ``inline_text`` and ``html_text``. Then
``passage_cutting`` cuts these into passages.
"""
