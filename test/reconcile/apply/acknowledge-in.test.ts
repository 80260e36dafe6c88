import { describe, expect, it } from 'vitest'
import { parseAllow } from '../../../src/plan/guards/parse-allow.ts'

describe('--allow', () => {
  it.each([
    ['deletes-data:characteristics/old', { code: 'deletes-data', type: 'characteristics', key: 'old' }],
    [
      'protected:metadataTypes/COMPONENT/serial:no',
      { code: 'protected', type: 'metadataTypes', key: 'COMPONENT/serial:no' },
    ],
    ['leaves-scope:users', { code: 'leaves-scope', type: 'users' }],
  ])('%s', (text, acknowledgement) => expect(parseAllow(text)).toEqual(acknowledgement))

  it.each([
    [
      'delete-data:characteristics/x',
      'there is no guard "delete-data". Did you mean "deletes-data"? The guards are deletes-data, ',
    ],
    ['deletes-data:characteristic/x', 'there is no record type "characteristic". Did you mean "characteristics"?'],
    ['deletes-data:characteristics', 'deletes-data is about one record: write deletes-data:characteristics/KEY'],
    ['deletes-data:characteristics/', 'deletes-data is about one record'],
    ['mass-delete:users/a@b.example', 'mass-delete is about a whole record type: write mass-delete:users'],
    ['constructor:users', 'there is no guard "constructor"'],
    ['deletes-data', 'write CODE:type/key, or CODE:type'],
    ['', 'write CODE:type/key, or CODE:type'],
  ])('%j is refused', (text, message) => expect(() => parseAllow(text)).toThrow(message))
})
