import { describe } from 'vitest'
import { checkBadFiles } from './load-files.ts'

describe('what the parsers would accept and lose in silence', () => {
  const exact =
    'cannot be stored exactly; write at most 15 significant digits, or put it in quotes if it is an identifier rather than a quantity.'
  checkBadFiles([
    [
      'duplicate.json',
      '{"services": [{"code": "a",\n  "name": "x", "code": "b"}]}',
      'duplicate.json:2:16: error duplicate-key: the key "code" appears twice in the same object; remove one.',
    ],
    [
      'duplicate-list.json',
      '{"services": [], "services": []}',
      'duplicate-list.json:1:18: error duplicate-key: the key "services" appears twice in the same object; remove one.',
    ],
    [
      'duplicate.yaml',
      'services:\n  - code: a\n    name: x\n    code: b\n',
      'duplicate.yaml:4:5: error duplicate-key: the key "code" appears twice in the same object; remove one.',
    ],
    [
      'proto.json',
      '{"services": [{"__proto__": {}}]}',
      'proto.json:1:16: error forbidden-key: the key __proto__ is not allowed; rename it.',
    ],
    [
      'hidden-proto.json',
      String.raw`{"services": [{"\u005f_proto__": {}}]}`,
      'hidden-proto.json:1:16: error forbidden-key: the key __proto__ is not allowed; rename it.',
    ],
    [
      'proto.yaml',
      'services:\n  - __proto__: {}\n',
      'proto.yaml:2:5: error forbidden-key: the key __proto__ is not allowed; rename it.',
    ],
    [
      'nul.json',
      String.raw`{"services": [{"code": "a\u0000b"}]}`,
      'nul.json:1:24: error nul-character: the text contains the character U+0000, which no database stores; remove it.',
    ],
    [
      'nul.yaml',
      String.raw`services: ["a\0b"]`,
      'nul.yaml:1:12: error nul-character: the text contains the character U+0000, which no database stores; remove it.',
    ],
    [
      'raw-nul.yaml',
      'services: [a\0b]\n',
      'raw-nul.yaml:1:13: error nul-character: the file contains the character U+0000; remove it.',
    ],
    [
      'surrogate.json',
      String.raw`{"services": [{"code": "\ud83d"}]}`,
      'surrogate.json:1:24: error lone-surrogate: the text contains half of a surrogate pair, which is no character; remove it.',
    ],
    [
      'surrogate.yaml',
      String.raw`services: ["\ud83d"]`,
      'surrogate.yaml:1:12: error lone-surrogate: the text contains half of a surrogate pair, which is no character; remove it.',
    ],
    [
      'mark-in-text.json',
      '{"services": ["\uFEFFa"]}',
      'mark-in-text.json:1:15: error byte-order-mark: the text begins with an invisible byte order mark (U+FEFF); remove it.',
    ],
    [
      'mark-in-text.yaml',
      'services: ["\uFEFFa"]',
      'mark-in-text.yaml:1:12: error byte-order-mark: the text begins with an invisible byte order mark (U+FEFF); remove it.',
    ],
    [
      'too-big.json',
      '{"services": [9007199254740993]}',
      `too-big.json:1:15: error number-not-exact: the number 9007199254740993 ${exact}`,
    ],
    ['infinite.json', '{"services": [1e400]}', `infinite.json:1:15: error number-not-exact: the number 1e400 ${exact}`],
    ['infinite.yaml', 'services: [1e400]', `infinite.yaml:1:12: error number-not-exact: the number 1e400 ${exact}`],
    [
      'too-precise.json',
      '{"services": [0.1000000000000000055]}',
      `too-precise.json:1:15: error number-not-exact: the number 0.1000000000000000055 ${exact}`,
    ],
    [
      'too-big-hex.yaml',
      'services: [0x1FFFFFFFFFFFFFFF]',
      `too-big-hex.yaml:1:12: error number-not-exact: the number 0x1FFFFFFFFFFFFFFF ${exact}`,
    ],
    [
      'not-a-number.yaml',
      'services: [.nan]',
      'not-a-number.yaml:1:12: error number-not-finite: .nan cannot be stored; write a number or null.',
    ],
    [
      'number-as-key.yaml',
      'services:\n  - 1: a',
      'number-as-key.yaml:2:5: error key-not-text: a key must be a text, but this one is read as a number; put it in quotes.',
    ],
    [
      'null-as-key.yaml',
      'services:\n  - ~: a',
      'null-as-key.yaml:2:5: error key-not-text: a key must be a text, but this one is read as null; put it in quotes.',
    ],
    [
      'list-as-key.yaml',
      'services:\n  - [a]: b',
      'list-as-key.yaml:2:5: error key-not-text: a key must be a text, not a list or mapping.',
    ],
  ])
})
