<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
<context>
    <name>window</name>
    <message>
        <source>Indexing</source>
        <translation>Indexierung läuft</translation>
    </message>
</context>
</TS>
