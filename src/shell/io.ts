/** A stream that a command writes to. */
export interface Output {
  write(text: string): void
  readonly isTerminal: boolean
  readonly columns?: number
}

export type Environment = { readonly [name: string]: string | undefined }

/** A request. It does not use the global `Request`, because loading that costs a process 50 ms. */
export interface Sent {
  readonly method?: 'POST'
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string | Iterable<Uint8Array>
  readonly signal: AbortSignal
}

/** The part of a `Response` that commands read. */
export interface Answer {
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: (AsyncIterable<Uint8Array> & { cancel(): Promise<void> }) | null
  text(): Promise<string>
}

/** Sends a request without following redirects. */
export type Send = (address: URL, sent: Sent) => Promise<Answer>

/** Everything that a command uses from its process. */
export interface Io {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Environment
  readonly cwd: string
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Asks the user at the terminal; null if there is no terminal. */
  readonly ask: ((question: string) => Promise<string>) | null
  readonly fetch: (request: Request) => Promise<Response>
  /** Sends the requests to the platform. Without it they are sent with `fetch`. */
  readonly send?: Send
  readonly now: () => number
  readonly wait: (milliseconds: number) => Promise<void>
}

/** A platform inside this process: the same application, without a network. */
export interface EmbeddedPlatform {
  fetch(request: Request): Promise<Response>
  readonly token: string
  close(): Promise<void>
}

/** The credentials of the PASSWORD grant (specification, section 5). */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly username: string
  readonly password: string
}

export interface RunningServer {
  readonly url: string
  readonly credentials: Credentials
}

/** The files below `generated/`. */
export interface GeneratedFiles {
  /** Returns the paths of the files that are out of date. */
  stale(): Promise<readonly string[]>
  /** Writes the files that are out of date, and returns their paths. */
  write(): Promise<readonly string[]>
}

/** The parts of the server. `cli.ts` passes them in, because `reconcile` and `server` never import each other. */
export interface ServerParts {
  openEmbedded(options: { readonly dataDir: string; readonly env: Environment }): Promise<EmbeddedPlatform>
  /** The server that runs on a data directory, if there is one. */
  runningServer(dataDir: string): Promise<RunningServer | null>
  serve(env: Environment): Promise<void>
  /** The generated files, which include the GraphQL schema of the server. */
  generatedFiles(): Promise<GeneratedFiles>
}

/** The context of every command, besides its own options. */
export interface Context {
  readonly io: Io
  readonly parts: ServerParts
}
