import { Option, type Command } from 'commander'

/** Adds the options that select the platform. */
export function onPlatform(command: Command): Command {
  return command
    .option('--url <url>', 'the platform (HOLDFAST_URL); without it: the embedded one')
    .option('--data-dir <dir>', 'of the embedded platform (HOLDFAST_DATA_DIR; default ".holdfast")')
}

export function models(purpose = 'the directory of the models'): Option {
  return new Option('--models <dir>', purpose).default('models')
}
