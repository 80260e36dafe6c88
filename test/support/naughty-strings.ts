/**
 * Texts that have broken pages, in the spirit of the Big List of Naughty Strings: markup, ends of attributes,
 * right-to-left text, characters without width, code of other languages, and very long text.
 */
export const NAUGHTY_STRINGS: readonly string[] = [
  `<script>alert('naughty')</script>`,
  `"><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)' x='`,
  `</textarea></title></style><svg/onload=alert(1)>`,
  `&lt;b&gt; &amp; &#x3c;`,
  'javascript:alert(1)',
  '${7*7} {{7*7}} #{7*7} <%= 7*7 %>',
  `'; drop table systems; --`,
  '../../../etc/passwd%00',
  '__proto__ constructor toString',
  '=cmd|calc!A0',
  '\u202Eesrever \u2066isolated\u2069 \u200Fright\u200E',
  '\u200B\uFEFF\u00AD\u2060 nothing to see',
  'Z\u0351\u036B\u0343\u036Aalgo\u0308\u0308\u0308\u0308 \u{1F468}\u200D\u{1F469}\u200D\u{1F467} \u0627\u0644\u0639\u0631\u0628\u064A\u0629',
  '\u{1D573}\u{1D58A} null undefined NaN Infinity 1e309 -0',
  'W'.repeat(9_400),
]

/** Texts that PostgreSQL cannot store, so they are refused everywhere. */
export const UNSTORABLE_STRINGS: readonly string[] = ['\0', 'a\0b']

/** All of them in one line. */
export const NAUGHTY = NAUGHTY_STRINGS.join(' ')

/** All except the long one, for inputs with a limited length. */
export const NAUGHTY_LINE = NAUGHTY_STRINGS.slice(0, -1).join(' ')
