import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { ARGON2 } from '../../src/auth/password-hash.ts'
import { isLong } from './runs.ts'

// The hash of a password takes 40 ms of a processor on purpose, and the tests make thousands. Here the hash with
// Holdfast's own parameters is a cheap one. A hash with other parameters, and every server in a process of its own, is
// as it always is; `npm run test:long` has none of this.

type Argon2 = typeof crypto.argon2

const argon2: Argon2 = crypto.argon2

const cheap: Argon2 = (algorithm, parameters, callback) => {
  const isOwn = parameters.memory === ARGON2.memory && parameters.passes === ARGON2.passes
  argon2(algorithm, isOwn ? { ...parameters, memory: 8, passes: 1 } : parameters, callback)
}

// A process that runs several test files comes here for each of them.
if (!isLong && argon2.name !== cheap.name) {
  crypto.argon2 = cheap
  syncBuiltinESMExports()
}
