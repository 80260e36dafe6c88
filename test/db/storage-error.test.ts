import { expect, it } from 'vitest'
import { storageError } from '../../src/db/storage-error.ts'

it.each([
  ['53100', {}, /^the disk is full; free some space/],
  ['ENOSPC', {}, /^the disk is full; free some space/],
  ['ERR_SQLITE_ERROR', { errcode: 13 }, /^the disk is full; free some space/],
  ['EDQUOT', {}, /^the disk is full: the quota/],
  ['58030', {}, /^the disk fails to read or write; check the system log/],
  ['EIO', {}, /^the disk fails to read or write/],
  ['ERR_SQLITE_ERROR', { errcode: 10 + (3 << 8) }, /^the disk fails to read or write/],
  ['EMFILE', {}, /^the disk cannot be used: too many files are open; raise the limit/],
  ['ENFILE', {}, /^the disk cannot be used: too many files are open/],
  ['53000', { message: 'out of file descriptors: Too many open files' }, /^the disk cannot be used: too many files/],
  ['EROFS', {}, /^the disk is read-only/],
])('a fault %s %o is told in words, with what to do', (code, more, message) => {
  const error = storageError(Object.assign(new Error('low down'), { code }, more), 'the disk')
  expect(error).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringMatching(message) as string })
  expect(error?.message).toMatch(/Nothing was changed$/)
  expect(error?.message).not.toMatch(/damaged|low down/)
})

it.each([['23505'], ['ENOENT'], ['53000'], ['53300']])('%s is none of the disk', (code) => {
  expect(storageError(Object.assign(new Error(), { code }), 'the disk')).toBeNull()
})
