#!/usr/bin/env python3
"""Writes pairs/*/seeds and pairs/*/witness: python3 seeds.py. Seeds are small ordinary files; a witness is an input that the two sides of a
pair treat differently. Those of lrzip-zpaq are made by pairs/lrzip-zpaq/mkseeds.cc."""
import os
import random
import struct

here = os.path.dirname(os.path.abspath(__file__))


def write(path, data):
    path = os.path.join(here, "pairs", path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())


# GIF


def lzw(pixels, bits, deferred=False, table=None):
    """The codes of pixels of so many bits. A full table is cleared, or with deferred used on and on."""
    clear, end = 1 << bits, (1 << bits) + 1
    out, acc, have = bytearray(), 0, 0
    table, width = {} if table is None else table, bits + 1

    def put(code):
        nonlocal acc, have
        acc |= code << have
        have += width
        while have >= 8:
            out.append(acc & 255)
            acc >>= 8
            have -= 8

    put(clear)
    word = ()
    for p in pixels:
        longer = word + (p,)
        if len(longer) == 1 or longer in table:
            word = longer
            continue
        put(table[word] if len(word) > 1 else word[0])
        if end + 1 + len(table) < 4096:
            table[longer] = end + 1 + len(table)
            if end + len(table) == 1 << width and width < 12:
                width += 1
        elif not deferred:
            put(clear)
            table, width = {}, bits + 1
        word = (p,)
    put(table[word] if len(word) > 1 else word[0])
    put(end)
    if have:
        out.append(acc & 255)
    return bytes(out)


def blocks(data):
    return b"".join(bytes([len(data[i : i + 255])]) + data[i : i + 255] for i in range(0, len(data), 255)) + b"\0"


def gif(width, height, pixels, bits=2, control=None, comment=None, deferred=False):
    out = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80 | (bits - 1), 0, 0)
    out += bytes(v for i in range(1 << bits) for v in (i * 255 // ((1 << bits) - 1),) * 3)
    if comment is not None:
        out += b"\x21\xfe" + blocks(comment)
    if control is not None:
        out += b"\x21\xf9" + blocks(control)
    out += b"\x2c" + struct.pack("<HHHHB", 0, 0, width, height, 0)
    return out + bytes([bits]) + blocks(lzw(pixels, bits, deferred)) + b"\x3b"


def two(first, second):
    """An animation of two images: the second file's blocks behind those of the first."""
    return first[:-1] + second[13 + 12 :]


square = [(x // 2 + y // 2) % 4 for y in range(8) for x in range(8)]
delay = b"\x04\x32\x00\x00"
write("giflib-gcb/seeds/plain.gif", gif(8, 8, square))
write("giflib-gcb/seeds/comment.gif", gif(8, 8, square, comment=b"eight by eight"))
write("giflib-gcb/seeds/delay.gif", gif(8, 8, square, control=delay))
write("giflib-gcb/seeds/animation.gif", two(gif(8, 8, square, control=delay), gif(8, 8, square[::-1], control=delay)))
write("giflib-gcb/witness/short.gif", gif(8, 8, square, control=b"\x04"))

random.seed(1)
pixels = [random.randrange(16) for _ in range(9600)]
table = {}
lzw(pixels, 4, deferred=True, table=table)
last = max(table, key=table.get)  # what code 4095 stands for, again and again
for _ in range(1400):
    pixels += [*last, random.randrange(16)]
pixels = (pixels + [0] * 15000)[:15000]
write("giflib-slurp/seeds/plain.gif", gif(8, 8, square))
write("giflib-slurp/seeds/delay.gif", gif(8, 8, square, control=delay))
write("giflib-slurp/seeds/full.gif", gif(150, 100, pixels, bits=4))
write("giflib-slurp/witness/deferred.gif", gif(150, 100, pixels, bits=4, deferred=True))

# XML

xs = 'xmlns:xs="http://www.w3.org/2001/XMLSchema"'
write("libxml2-schema/seeds/simple.xsd", f"""<xs:schema {xs}>
  <xs:element name="a" type="T"/>
  <xs:simpleType name="T">
    <xs:restriction base="xs:string"><xs:maxLength value="4"/></xs:restriction>
  </xs:simpleType>
</xs:schema>
""")
write("libxml2-schema/seeds/content.xsd", f"""<xs:schema {xs}>
  <xs:complexType name="B">
    <xs:simpleContent><xs:extension base="xs:int"><xs:attribute name="u" type="xs:string"/></xs:extension></xs:simpleContent>
  </xs:complexType>
  <xs:element name="a" type="B"/>
</xs:schema>
""")
write("libxml2-schema/seeds/extension.xsd", f"""<xs:schema {xs}>
  <xs:complexType name="B">
    <xs:sequence><xs:element name="x" type="xs:int"/></xs:sequence>
  </xs:complexType>
  <xs:complexType name="C">
    <xs:complexContent>
      <xs:extension base="B"><xs:sequence><xs:element name="y" type="xs:int" minOccurs="0"/></xs:sequence></xs:extension>
    </xs:complexContent>
  </xs:complexType>
  <xs:element name="a" type="C"/>
</xs:schema>
""")
write("libxml2-schema/witness/simple-base.xsd", f"""<xs:schema {xs}>
  <xs:complexType name="B"><xs:simpleContent><xs:extension base="xs:int"/></xs:simpleContent></xs:complexType>
  <xs:complexType name="C">
    <xs:complexContent>
      <xs:extension base="B"><xs:sequence><xs:element name="y" type="xs:int"/></xs:sequence></xs:extension>
    </xs:complexContent>
  </xs:complexType>
</xs:schema>
""")

write("libxml2-pattern/seeds/path", "a/b\n<a><b/><c><b/></c></a>\n")
write("libxml2-pattern/seeds/any", "//b\n<a><b>t</b><c><b/></c></a>\n")
write("libxml2-pattern/seeds/attribute", "a|c/attribute::d\n<a><c d='1'/></a>\n")
write("libxml2-pattern/seeds/namespace", "n:b/*\n<a xmlns:n='urn:n'><n:b><c/></n:b></a>\n")
write("libxml2-pattern/witness/child", "child::b/d\n<a><b><d/></b></a>\n")

write("libxml2-entity/seeds/entity.xml", '<!DOCTYPE a [<!ENTITY e "x"><!ENTITY f "&e;y">]>\n<a>&e;<b c="&f;">&f;</b></a>\n')
write("libxml2-entity/seeds/external.xml", '<!DOCTYPE a SYSTEM "a.dtd" [<!ENTITY e SYSTEM "e.xml"><!ENTITY % p "q">]>\n<a>t</a>\n')
write("libxml2-entity/seeds/plain.xml", '<?xml version="1.0"?>\n<a b="c"><d>t &amp; u</d><!-- v --><![CDATA[w]]></a>\n')
write("libxml2-entity/witness/shared.xml", '<!DOCTYPE a [<!ENTITY e "<b"><!ENTITY f SYSTEM "<b">]>\n<a>&e;</a>\n')

# JSON

text = '{"a": [1, 2.5, -3e4, true, null], "b": {"c": "d\\u00e9\\n", "": []}}'
write("cjson-object/seeds/object.json", text)
write("cjson-object/seeds/array.json", '["x", {"y": 0}, [[]]]\n')
write("cjson-object/witness/comma.json", '{"1":1,')

write("cjson-number/seeds/object.json", text)
write("cjson-number/seeds/numbers.json", "[0, 12345678901234567890, 0.1234567890123456789, 1.5e-7]")
write("cjson-number/witness/long.json", "[" + "1" * 70 + "]")

numbers = "[" + ",".join(str(i) for i in range(30)) + "]"
write("cjson-pointer/seeds/index", "/12\n" + numbers)
write("cjson-pointer/seeds/member", "/b/c\n" + text)
write("cjson-pointer/seeds/both", "/a/1\n" + text)
write("cjson-pointer/witness/colon", "/1:\n" + numbers)

write("yajl-surrogate/seeds/object.json", text)
write("yajl-surrogate/seeds/pair.json", '["\\ud83d\\ude00", "\\\\ \\t"]')
write("yajl-surrogate/witness/half.json", '["\\ud800\\\\x"]')

write("yajl-leak/seeds/object.json", text)
write("yajl-leak/seeds/array.json", '["x", {"y": 0}, [[]]]\n')
write("yajl-leak/witness/open.json", '{"a": [1')
