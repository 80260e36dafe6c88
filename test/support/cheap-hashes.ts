import { ARGON2 } from '../../src/auth/password-hash.ts'
import { isLong } from './runs.ts'

// The hash of a password takes 40 ms of CPU time by design, and the tests make thousands. So the processes of the
// tests make cheap hashes. A hash contains its parameters, so that any process can check it. Servers in separate
// processes make real hashes, as does everything in `npm run test:long`.
if (!isLong) Object.assign(ARGON2, { memory: 64, passes: 2 })
