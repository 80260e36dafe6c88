import { describe } from 'vitest'
import { checkBadFiles } from './load-files.ts'

describe('JSON that cannot be read', () => {
  checkBadFiles([
    [
      'comma-before-brace.json',
      '{"services": [],}',
      'comma-before-brace.json:1:17: error syntax: there is a comma before this }; JSON allows none after the last entry, so remove it.',
    ],
    [
      'comma-before-bracket.json',
      '{"services": [1, 2, ]}',
      'comma-before-bracket.json:1:21: error syntax: there is a comma before this ]; JSON allows none after the last entry, so remove it.',
    ],
    [
      'single-quotes.json',
      '{"services": [\'a\']}',
      'single-quotes.json:1:15: error syntax: text is written in double quotes, not in other ones.',
    ],
    ['bare-key.json', '{services: []}', 'bare-key.json:1:2: error syntax: a key is expected here, in double quotes.'],
    ['bare-text.json', '{"services": [abc]}', 'bare-text.json:1:15: error syntax: text is written in double quotes.'],
    [
      'comment.json',
      '{\n  // the heating\n  "services": []\n}',
      'comment.json:2:3: error syntax: JSON has no comments; remove it, or use a YAML file.',
    ],
    [
      'two-values.json',
      '{"services": []}\n{"users": []}',
      'two-values.json:2:1: error syntax: the file continues after its value; a JSON file holds one object.',
    ],
    [
      'brace-too-many.json',
      '{"services": []}}',
      'brace-too-many.json:1:17: error syntax: there is a } too many; remove it.',
    ],
    [
      'cut-off.json',
      '{"services": [',
      'cut-off.json:1:15: error syntax: the file ends where a value is expected; is its end missing?',
    ],
    [
      'open-object.json',
      '{"services": []',
      'open-object.json:1:16: error syntax: the file ends inside an object; is its end missing?',
    ],
    [
      'open-text.json',
      '{"services": [{"code": "a',
      'open-text.json:1:24: error syntax: a string is never closed; add the missing ".',
    ],
    [
      'line-break.json',
      '{"services": ["a\nb"]}',
      'line-break.json:1:17: error syntax: a line break inside a string; write \\n, or add the missing ".',
    ],
    ['tab.json', '{"services": ["a\tb"]}', 'tab.json:1:17: error syntax: a tab inside a string; write \\t.'],
    [
      'control.json',
      '{"services": ["a\u0001b"]}',
      'control.json:1:17: error syntax: the control character U+0001 inside a string; remove it.',
    ],
    [
      'escape.json',
      String.raw`{"services": ["C:\dir"]}`,
      String.raw`escape.json:1:18: error syntax: this escape does not exist in JSON; write \\ for a backslash.`,
    ],
    [
      'python.json',
      '{"services": [True]}',
      'python.json:1:15: error syntax: JSON writes this word in small letters: true.',
    ],
    ['nan.json', '{"services": [NaN]}', 'nan.json:1:15: error syntax: JSON knows no NaN; write a number or null.'],
    [
      'leading-zero.json',
      '{"services": [007]}',
      'leading-zero.json:1:15: error syntax: this is no JSON number; write it like 5, -0.5 or 1.5e3, without leading zeros.',
    ],
    ['plus.json', '{"services": [+1]}', 'plus.json:1:15: error syntax: a number begins with a digit or a minus sign.'],
    [
      'minus.json',
      '{"services": [-]}',
      'minus.json:1:15: error syntax: a minus sign without digits; write a number such as -1.',
    ],
    [
      'no-comma.json',
      '{"services": [{"a": 1 "b": 2}]}',
      'no-comma.json:1:23: error syntax: a comma or } is expected here, after an entry of an object.',
    ],
    ['no-colon.json', '{"services" []}', 'no-colon.json:1:13: error syntax: a colon is expected after the key.'],
    [
      'no-value.json',
      '{"services": [,1]}',
      'no-value.json:1:15: error syntax: a value is missing before this comma; remove the comma or add the value.',
    ],
  ])
})
