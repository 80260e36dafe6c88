import * as fc from 'fast-check'
import { isLong } from './runs.ts'

// In `npm test`, properties use the same values each time, so that a pull request fails only because of its own
// changes. `npm run test:long` runs every night and uses new values.
if (!isLong) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1 })
