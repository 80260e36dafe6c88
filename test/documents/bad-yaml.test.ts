import { describe, expect, test } from 'vitest'
import { checkBadFiles, linesOf, loadFiles } from './load-files.ts'

describe('YAML that cannot be read', () => {
  checkBadFiles([
    [
      'tab.yaml',
      'services:\n\t- code: a\n',
      'tab.yaml:2:1: error syntax: there is a tab in the indentation; YAML is indented with spaces only.',
    ],
    [
      'colon-in-text.yaml',
      'services:\n  - code: a: b\n',
      'colon-in-text.yaml:2:12: error syntax: this does not fit the lines above: check the indentation, and quote a text that contains ": ".',
    ],
    [
      'crooked-list.yaml',
      'services:\n  - code: a\n   - code: b\n',
      'crooked-list.yaml:3:4: error syntax: this list entry has another indentation than those above; align the dashes.',
    ],
    [
      'below-empty.yaml',
      'services: []\n  # pasted\n  - code: a\n',
      'below-empty.yaml:3:3: error syntax: the list above is closed by its []: remove the [], so that this entry belongs to it.',
    ],
    [
      'beside-empty.yaml',
      'services: [] # none yet\n- code: a\n',
      'beside-empty.yaml:2:1: error syntax: the list above is closed by its []: remove the [], so that this entry belongs to it.',
    ],
    [
      'open-quote.yaml',
      'services:\n  - "abc',
      'open-quote.yaml:2:5: error syntax: a text in double quotes is never closed; add the missing ".',
    ],
    [
      'open-bracket.yaml',
      'services: [a, b',
      'open-bracket.yaml:1:11: error syntax: a list or mapping in brackets is never closed; add the missing ] or }.',
    ],
    [
      'open-bracket-above.yaml',
      'services: [a, b\nusers: []\n',
      'open-bracket-above.yaml:1:11: error syntax: a list or mapping in brackets is not closed before line 2, which is indented too little to belong to it: add the missing ] or }, or indent line 2 further.',
    ],
    [
      'open-bracket-inside.yaml',
      'services:\n  - { code: s, characteristics: [{ code: a }, { code: "[b]" }\n  - { code: t }\n',
      'open-bracket-inside.yaml:2:33: error syntax: a list or mapping in brackets is not closed before line 3, which is indented too little to belong to it: add the missing ] or }, or indent line 3 further.',
    ],
    [
      'open-quote-above.yaml',
      String.raw`services:
  - code: "with \\"
    name: "a \"quoted\" word \\\"
  - code: "t"
`,
      'open-quote-above.yaml:3:11: error syntax: a text in double quotes is not closed before line 4, which is indented too little to belong to it: add the missing ", or indent line 4 further.',
    ],
    [
      'open-single-quote.yaml',
      "services:\n  - code: 'it''s'\n    name: '''tis\n",
      "open-single-quote.yaml:3:11: error syntax: a text in single quotes is never closed; add the missing '.",
    ],
    [
      'open-quote-at-the-end-of-a-document.yaml',
      '- "x\n---\nb: 1\n',
      'open-quote-at-the-end-of-a-document.yaml:1:3: error syntax: a text in double quotes is not closed before line 2, which is indented too little to belong to it: add the missing ", or indent line 2 further.',
    ],
    [
      'open-quote-of-a-whole-document.yaml',
      '"x\n---\nb: 1\n',
      'open-quote-of-a-whole-document.yaml:1:1: error syntax: a text in double quotes is never closed; add the missing ".',
    ],
    [
      'escape.yaml',
      String.raw`services: ["C:\dir"]`,
      String.raw`escape.yaml:1:16: error syntax: this escape does not exist; write \\ for a backslash, or use single quotes.`,
    ],
    [
      'unknown-alias.yaml',
      'services: [*nope]\n',
      'unknown-alias.yaml:1:12: error unknown-alias: nothing above is marked &nope; put quotes around a text that begins with *.',
    ],
    [
      'alias-of-itself.yaml',
      'services: &x [*x]\n',
      'alias-of-itself.yaml:1:15: error recursive-alias: *x is inside the value that it refers to; write the value out.',
    ],
    [
      'tag-directive.yaml',
      '%TAG !e! tag:example.com,2000:\n---\nservices: []\n',
      'tag-directive.yaml:1:1: error unsupported-tag: tags of your own (%TAG) have no meaning here; remove the directive.',
    ],
  ])
  test('every tag without a counterpart in JSON is named', () => {
    const tagged = 'services: [!!binary aGVsbG8=, !!timestamp 2020-01-01, !mine 1, !!set {a}, !!int x, !!str 1, ! 2]\n'
    expect(linesOf(loadFiles({ 'tags.yaml': tagged })).map((line) => line.split(':', 5).join(':'))).toEqual([
      'tags.yaml:1:12: error unsupported-tag: the tag !!binary does not fit here',
      'tags.yaml:1:31: error unsupported-tag: the tag !!timestamp does not fit here',
      'tags.yaml:1:55: error unsupported-tag: the tag !mine does not fit here',
      'tags.yaml:1:64: error unsupported-tag: the tag !!set does not fit here',
      'tags.yaml:1:75: error unsupported-tag: the tag !!int does not fit here',
    ])
  })
})
