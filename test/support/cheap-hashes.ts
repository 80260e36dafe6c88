import { ARGON2 } from '../../src/auth/password-hash.ts'
import { isLong } from './runs.ts'

// The hash of a password takes 40 ms of a processor on purpose, and the tests make thousands. New hashes of the tests'
// processes are cheap and say so, so that any process can check them; servers in processes of their own make real ones,
// as does everything in `npm run test:long`.
if (!isLong) Object.assign(ARGON2, { memory: 64, passes: 2 })
