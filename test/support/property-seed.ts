import * as fc from 'fast-check'
import { isLong } from './runs.ts'

// In `npm test`, properties try the same values each time, so that a pull request fails only for what it changes.
// `npm run test:long` runs every night, and tries new values.
if (!isLong) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1 })
