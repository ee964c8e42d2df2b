<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name></name>
    <message numerus="yes">
        <source>For %Ln second(s)</source>
        <translation>
            <numerusform>For %Ln second</numerusform>
            <numerusform>For %Ln seconds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln note(s)</source>
        <translation>
            <numerusform>%Ln note</numerusform>
            <numerusform>%Ln notes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln word(s)</source>
        <translation>
            <numerusform>%Ln word</numerusform>
            <numerusform>%Ln words</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{current} of %Ln+ match(es)</source>
        <translation>
            <numerusform>{current} of %Ln+ match</numerusform>
            <numerusform>{current} of %Ln+ matches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{current} of %Ln match(es)</source>
        <translation>
            <numerusform>{current} of %Ln match</numerusform>
            <numerusform>{current} of %Ln matches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln note(s) could not be read</source>
        <translation>
            <numerusform>%Ln note could not be read</numerusform>
            <numerusform>%Ln notes could not be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Search %Ln note(s)</source>
        <translation>
            <numerusform>Search %Ln note</numerusform>
            <numerusform>Search %Ln notes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Type to search %Ln note(s)</source>
        <translation>
            <numerusform>Type to search %Ln note</numerusform>
            <numerusform>Type to search %Ln notes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{ready} of %Ln passage(s) are ready.</source>
        <translation>
            <numerusform>{ready} of %Ln passages are ready.</numerusform>
            <numerusform>{ready} of %Ln passages are ready.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln passage(s) are ready.</source>
        <translation>
            <numerusform>%Ln passages are ready.</numerusform>
            <numerusform>%Ln passages are ready.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln section(s)</source>
        <translation>
            <numerusform>%Ln section</numerusform>
            <numerusform>%Ln sections</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{sections} so far · {done} of %Ln note(s)</source>
        <translation>
            <numerusform>{sections} so far · {done} of %Ln note</numerusform>
            <numerusform>{sections} so far · {done} of %Ln notes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{sections}, the first {listed} in %Ln note(s)</source>
        <translation>
            <numerusform>{sections}, the first {listed} in %Ln note</numerusform>
            <numerusform>{sections}, the first {listed} in %Ln notes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{sections} in %Ln note(s)</source>
        <translation>
            <numerusform>{sections} in %Ln note</numerusform>
            <numerusform>{sections} in %Ln notes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{done} of %Ln note(s) have been read so far.</source>
        <translation>
            <numerusform>{done} of %Ln note has been read so far.</numerusform>
            <numerusform>{done} of %Ln notes have been read so far.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln more in this note</source>
        <translation>
            <numerusform>Show %Ln more in this note</numerusform>
            <numerusform>Show %Ln more in this note</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Showing the best %Ln. Add a word to narrow it down.</source>
        <translation>
            <numerusform>Showing the best %Ln. Add a word to narrow it down.</numerusform>
            <numerusform>Showing the best %Ln. Add a word to narrow it down.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Searched %Ln note(s). {hint}</source>
        <translation>
            <numerusform>Searched %Ln note. {hint}</numerusform>
            <numerusform>Searched %Ln notes. {hint}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln note(s) could not be read. All others are searched.</source>
        <translation>
            <numerusform>%Ln note could not be read. All others are searched.</numerusform>
            <numerusform>%Ln notes could not be read. All others are searched.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Indexing {done} of %Ln note(s) – you can search already</source>
        <translation>
            <numerusform>Indexing {done} of %Ln note – you can search already</numerusform>
            <numerusform>Indexing {done} of %Ln notes – you can search already</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, about %Ln minute(s) left</source>
        <translation>
            <numerusform>, about %Ln minute left</numerusform>
            <numerusform>, about %Ln minutes left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, about %Ln hour(s) left</source>
        <translation>
            <numerusform>, about %Ln hour left</numerusform>
            <numerusform>, about %Ln hours left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln vector(s)</source>
        <comment>of a model, in the index</comment>
        <translation>
            <numerusform>%Ln vector</numerusform>
            <numerusform>%Ln vectors</numerusform>
        </translation>
    </message>
</context>
</TS>
