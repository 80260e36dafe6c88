import { setFlagsFromString } from 'node:v8'

/**
 * A plan is kept until its command ends, so that what is read of it is no garbage to be expected. V8 would make room for
 * 100 MB of garbage all the same; it looks at this factor each time before it does.
 */
export function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
