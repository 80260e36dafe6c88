/** The log of the server. Fields never contain tokens, bodies or secrets: see the two callers. */
export interface Logger {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

/**
 * The fields of an unexpected error: what happened and where. Other members are left out, because drivers attach
 * statements and rows to errors.
 */
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

/** The log of a platform inside of another program, which only writes errors to stderr. */
export const ERRORS_ONLY: Logger = {
  info: () => undefined,
  error: (fields, message) => process.stderr.write(`${JSON.stringify({ level: 'error', message, ...fields })}\n`),
}
