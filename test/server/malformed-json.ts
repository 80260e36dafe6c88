// JSON texts in the manner of nst/JSONTestSuite: what a parser must refuse (RFC 8259), must accept, and may do as it
// likes with. Each stands between two bars; the picture of a control character (U+2400 and following) is that character,
// and ‹200b› any other one by its number.

function texts(table: string): string[] {
  return table.split('\n').flatMap((row) =>
    row
      .split(/^  ¦ | ¦ | ¦$/)
      .slice(1, -1)
      .map(unpictured),
  )
}

function unpictured(text: string): string {
  return text
    .replaceAll(/[\u2400-\u241f]/g, (picture) => String.fromCodePoint((picture.codePointAt(0) ?? 0) - 0x2400))
    .replaceAll(/‹([\da-f]+)›/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
}

/** No JSON values, wherever a value may stand. */
export const NO_NUMBERS = texts(String.raw`
  ¦ - ¦ + ¦ --1 ¦ ++1 ¦ +1 ¦ -+1 ¦ +Inf ¦ - 1 ¦ -a ¦ -.1 ¦ .1 ¦ . ¦ .e1 ¦ ..1 ¦ 1. ¦ -1. ¦ 1..2 ¦ 0. ¦ 0.e1 ¦ 0.3e ¦
  ¦ 0.3e+ ¦ 0e ¦ 0e+ ¦ 0E ¦ 0E+ ¦ 1.0e ¦ 1.0e- ¦ 1.0e+ ¦ 1e ¦ 1e+ ¦ 1e- ¦ 1e1.5 ¦ 1eE2 ¦ 1e++2 ¦ 1.2.3 ¦ 1.2a ¦ 1a ¦
  ¦ 1 000 ¦ 1_000 ¦ 1,000. ¦ 01 ¦ -01 ¦ 00 ¦ -00 ¦ 012 ¦ -012.3 ¦ 0x ¦ 0x1 ¦ 0x42 ¦ 0b1 ¦ 0o7 ¦ 1f ¦ 1n ¦ 1L ¦ 2.e3 ¦
  ¦ 2.e-3 ¦ 2.e+3 ¦ 9.e+ ¦ 1/2 ¦ 1+2 ¦ 1e2e3 ¦ Inf ¦ Infinity ¦ -Infinity ¦ +Infinity ¦ NaN ¦ -NaN ¦ nan ¦ 1#INF ¦
  ¦ $1 ¦ １ ¦ 1２ ¦ ٣ ¦ −1 ¦ ½ ¦ 1° ¦
`)

/** Neither are these. */
export const NO_STRINGS = texts(String.raw`
  ¦ " ¦ "a ¦ a" ¦ 'a' ¦ ' ¦ “a” ¦ "a␊" ¦ "a␍" ¦ "␉" ¦ "␀" ¦ "␟" ¦ "␈" ¦ "␌" ¦ "\" ¦ "\\\" ¦ "\a" ¦ "\'" ¦ "\0" ¦
  ¦ "\x00" ¦ "\u" ¦ "\u1" ¦ "\u12" ¦ "\u123" ¦ "\u123g" ¦ "\u{41}" ¦ "\U0041" ¦ "\uD834\uDd" ¦ "\uD800\u" ¦
  ¦ "\u 041" ¦ "\ " ¦ "\é" ¦ "\v" ¦ "\x" ¦ "\␊" ¦ "\␉" ¦ \u0061 ¦ \"a" ¦ "a" "b" ¦ "a"b ¦ "a"+"b" ¦ "a""b" ¦
  ¦ """a""" ¦ a ¦ é ¦ abc def ¦ # ¦ @ ¦ \ ¦ &amp; ¦ "␁" ¦ "a␀b" ¦
`)

/** Nor these. */
export const NO_LITERALS = texts(String.raw`
  ¦ True ¦ TRUE ¦ False ¦ FALSE ¦ Null ¦ NULL ¦ None ¦ undefined ¦ void 0 ¦ tru ¦ truth ¦ true1 ¦ fals ¦ falsey ¦
  ¦ nul ¦ nulll ¦ nil ¦ t ¦ f ¦ n ¦ yes ¦ on ¦ new Date() ¦ Symbol() ¦ () => 1 ¦ <a/> ¦ {{}} ¦
`)

/** No JSON documents. */
export const NO_DOCUMENTS = texts(String.raw`
  ¦   ¦ ␉ ¦ ␊ ¦ ␍␊ ¦ ␀ ¦ [ ¦ ] ¦ { ¦ } ¦ [[ ¦ ]] ¦ []] ¦ [[] ¦ []} ¦ {] ¦ [} ¦ [{] ¦ [{]} ¦ {[} ¦ [,] ¦ [,1] ¦ [1,] ¦
  ¦ [1,,] ¦ [1,,2] ¦ [,,] ¦ [1 2] ¦ [1 true] ¦ ["a" 1] ¦ [1:2] ¦ ["a": 1] ¦ [1;2] ¦ [a] ¦ [*] ¦ [1 ¦ [1, ¦ ["a ¦
  ¦ ["a" ¦ ["a", ¦ [true ¦ [tru ¦ [- ¦ [1. ¦ [1e ¦ [{ ¦ [{"a" ¦ [{"a": ¦ [{"a":1 ¦ [{"a":1, ¦ [1]x ¦ [1]1 ¦ [1], ¦
  ¦ [1][2] ¦ [1] [2] ¦ [][] ¦ []{} ¦ []null ¦ {}[] ¦ []␀ ¦ ␀[] ¦ []# ¦ []; ¦ []. ¦ ..[] ¦ [1] // a ¦ [1] /* a */ ¦
  ¦ /* a */ [1] ¦ // a␊[1] ¦ [/**/1] ¦ [1, /* a */ 2] ¦ # a␊[1] ¦ [1] # a ¦ <!-- a -->[1] ¦ [1 -- a␊] ¦ {"a"} ¦
  ¦ {"a":} ¦ {"a" 1} ¦ {"a":1,} ¦ {,"a":1} ¦ {"a":1 "b":2} ¦ {"a":1,,"b":2} ¦ {"a"::1} ¦ {"a":1:2} ¦ {"a",1} ¦ {:1} ¦
  ¦ {a:1} ¦ {'a':1} ¦ {1:1} ¦ {null:1} ¦ {true:1} ¦ {[]:1} ¦ {{}:1} ¦ {"a":a} ¦ {"a":1}} ¦ {"a":1] ¦ {"a":1 ¦ {"a" ¦
  ¦ {"a ¦ {"a␊":1} ¦ {"a":"b"}/**/ ¦ {"a":"b"}// ¦ {"a":/*b*/1} ¦ {"a":1;"b":2} ¦ {"a"=1} ¦ {"a"=>1} ¦ {"a":1.} ¦
  ¦ {"a":+1} ¦ {"a":01} ¦ {"a":1 }x ¦ [‹a0›1] ¦ [‹2028›1] ¦ [‹3000›1] ¦ [1‹2029›] ¦ [␋1] ¦ [␌] ¦ [‹200b›] ¦
  ¦ ‹2060›[] ¦ [‹85›] ¦ ‹feff›‹feff›[] ¦ [‹feff›] ¦ ‹feff› ¦ ---␊- 1 ¦ - 1␊- 2 ¦ a: 1 ¦ a,b␍␊1,2 ¦ <xml/> ¦
  ¦ {"a":1}␊{"a":2} ¦ [1]␊[2] ¦ ␞[1]␊ ¦ )]}',␊[1] ¦ callback([]) ¦ while(1);[] ¦ ["a",␊4␊,1, ¦ [1,␊1␊,1 ¦ [{} ¦
  ¦ [{}, ¦ [[1],[2] ¦ [[[[[[[[[[1]]]]]]]]] ¦ " ¦ ["\ ¦ ["\u ¦ ["\uD800 ¦ ["\"] ¦
`)

/** Values that JSON can say. */
export const VALUES = texts(String.raw`
  ¦ 0 ¦ -0 ¦ 1 ¦ -1 ¦ 0.5 ¦ -0.5 ¦ 1e2 ¦ 1E2 ¦ 1e+2 ¦ 1e-2 ¦ 1E+02 ¦ 0e1 ¦ 0e+1 ¦ 123456789 ¦
  ¦ 1.7976931348623157e308 ¦ 5e-324 ¦ 2.2250738585072014e-308 ¦ 9007199254740993 ¦
  ¦ 0.1000000000000000055511151231257827 ¦ 20e1 ¦ 123.456e-7 ¦ "" ¦ "a" ¦ " " ¦ "é" ¦ "‹7f›" ¦ "‹2028›" ¦ "‹2029›" ¦
  ¦ "😀" ¦ "‹feff›" ¦ "‹ffff›" ¦ "‹10ffff›" ¦ "/*a*/" ¦ "'" ¦ "\"\\\/\b\f\n\r\t" ¦ "\u0000" ¦ "\u0041" ¦
  ¦ "\uD834\uDD1E" ¦ "\u000a" ¦ "\\u0000" ¦ "\uaBcD" ¦ true ¦ false ¦ null ¦ [] ¦ {} ¦ [[]] ¦ [1,2] ¦ [ 1 , 2 ] ¦
  ¦ [␉1␍␊] ¦ {"":0} ¦ {"a":1} ¦ {"a":{"a":{}}} ¦ {"\u0000":1} ¦ {"__proto__":1} ¦ {"a":[]} ¦
  ¦ {"a":␊1} ¦ [null,1,"a",{}] ¦
`)

const bytes = (...values: readonly (number | string)[]): Uint8Array =>
  Buffer.concat(values.map((value) => (typeof value === 'string' ? Buffer.from(value) : Buffer.of(value))))

/** Not UTF-8. */
export const NO_TEXTS: readonly Uint8Array[] = [
  bytes('["', 0xff, '"]'),
  bytes('["', 0x80, '"]'),
  bytes('["', 0xc0, 0xaf, '"]'),
  bytes('["', 0xc0, 0x80, '"]'),
  bytes('["', 0xc1, 0xbf, '"]'),
  bytes('["', 0xc3, '"]'),
  bytes('["', 0xc3, 0x28, '"]'),
  bytes('["', 0xe2, 0x82, '"]'),
  bytes('["', 0xe2, 0x28, 0xa1, '"]'),
  bytes('["', 0xe0, 0x80, 0xaf, '"]'),
  bytes('["', 0xed, 0xa0, 0x80, '"]'),
  bytes('["', 0xed, 0xbf, 0xbf, '"]'),
  bytes('["', 0xf0, 0x9f, 0x98, '"]'),
  bytes('["', 0xf0, 0x80, 0x80, 0xaf, '"]'),
  bytes('["', 0xf4, 0x90, 0x80, 0x80, '"]'),
  bytes('["', 0xf8, 0x88, 0x80, 0x80, 0x80, '"]'),
  bytes('["', 0xfc, 0x83, 0xbf, 0xbf, 0xbf, 0xbf, '"]'),
  bytes('["a'.repeat(3), 0xfe),
  bytes('[', 0xe5, ']'),
  bytes('[1', 0xff, ']'),
  bytes('{"', 0xb9, '":1}'),
  bytes(0xff, 0xfe, 0x5b, 0x00, 0x5d, 0x00),
  bytes(0xfe, 0xff, 0x00, 0x5b, 0x00, 0x5d),
  bytes(0xef, 0xbb, '[]'),
  bytes(0xef, '[]'),
  bytes('[]', 0xe2),
]

const UNDECIDED = texts(String.raw`
  ¦ [1e999] ¦ [-1e999] ¦ [1e-999] ¦ [0.4e00669999999999999999999999999999999999999999999999999999999999999999999] ¦
  ¦ [123123e100000] ¦ [-123123e100000] ¦ [100000000000000000000] ¦ [-123123123123123123123123123123] ¦ ["\uD800"] ¦
  ¦ ["\uDFAA"] ¦ ["\uD888\u1234"] ¦ ["\uD800\n"] ¦ ["\uDd1ea"] ¦ ["\uD800\uD800\n"] ¦ ["\udead"] ¦ [{"\ud800":1}] ¦
  ¦ ‹feff›[] ¦ ‹feff›[{}] ¦ [{"a":1,"a":2}] ¦ [{"value":1,"value":2}] ¦ [{"":{}}] ¦  []  ¦ ␍␊[␉]␊ ¦ [[]] ¦ [[[]]] ¦
`)

/** What a parser may refuse or take: it must only say so. */
export const EITHER: readonly (string | Uint8Array)[] = [
  ...UNDECIDED,
  `[${'1'.repeat(5_000)}]`,
  `[0.${'0'.repeat(5_000)}1]`,
  `[1e${'0'.repeat(1_000)}1]`,
  '['.repeat(500) + ']'.repeat(500),
  '['.repeat(100_000) + ']'.repeat(100_000),
  `[${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}]`,
]
