/** What the server needs of a log. Fields never hold tokens, bodies or secrets: see the two callers. */
export interface Logger {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Of an unexpected error: what happened and where, but no other member, since drivers hang statements and rows on theirs. */
export function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { error: { message: typeof error } }
  const code = 'code' in error ? error.code : undefined
  const { name, message, stack } = error
  return {
    error: {
      name,
      message,
      stack,
      ...(typeof code === 'string' && { code }),
      ...(error.cause !== undefined && { cause: errorFields(error.cause) }),
    },
  }
}

/** For a platform inside of another program: only what went wrong, on standard error. */
export const ERRORS_ONLY: Logger = {
  info: () => undefined,
  error: (fields, message) => process.stderr.write(`${JSON.stringify({ level: 'error', message, ...fields })}\n`),
}
