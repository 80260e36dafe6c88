/** How long a test waits for what must happen, whatever else the machine does. Only a test that hangs waits so long. */
export const PATIENCE = { timeout: 60_000 } as const
