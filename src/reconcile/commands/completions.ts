import type { Command } from 'commander'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'
import { completionsText, type Shell } from '../help/completions.ts'
import { wordsOf } from '../help/words.ts'

/** Writes the completion script of a shell. */
export async function completions(shell: Shell, program: Command, { io }: Context): Promise<CommandResult> {
  io.stdout.write(completionsText(shell, wordsOf(program)))
  return DONE
}
