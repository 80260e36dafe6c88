import { escapeUnseen } from '../../lib/visible-text.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'
import { connect, withTarget } from '../target/open-target.ts'
import { type PlatformOptions } from '../../client/platform-address.ts'
import { ROTATE_SIGNING_KEY, type RotateAnswer } from '../target/graphql-queries.ts'
import { progressOn } from '../../shell/progress.ts'

export interface RotateKeysOptions extends PlatformOptions {
  readonly format: 'text' | 'json'
}

/** Signs ID tokens with another key from now on, for example if somebody else may know the old key. */
export async function rotateKeys(options: RotateKeysOptions, context: Context): Promise<CommandResult> {
  const { stdout } = context.io
  const progress = progressOn(context.io)
  try {
    const { rotateSigningKey: key } = await withTarget(connect(options, context, progress), ({ request }) =>
      request<RotateAnswer>(ROTATE_SIGNING_KEY, {}),
    )
    progress.clear()
    const text = `The key ${key.kid} is published now and signs from ${key.signsFrom}.`
    stdout.write(options.format === 'json' ? `${JSON.stringify({ key }, null, 2)}\n` : `${escapeUnseen(text)}\n`)
    return DONE
  } finally {
    progress.clear()
  }
}
