import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// GraphiQL for browsers (docs/decisions/0076). A clone has it as development packages, and the published package as
// copies
// of these files.

interface GraphiqlFile {
  readonly package: string
  /** The path in the package. */
  readonly path: string
}

/** The scripts in the order in which they need each other. */
export const GRAPHIQL_SCRIPTS: readonly GraphiqlFile[] = [
  { package: 'react', path: 'umd/react.production.min.js' },
  { package: 'react-dom', path: 'umd/react-dom.production.min.js' },
  { package: 'graphiql', path: 'graphiql.min.js' },
]
export const GRAPHIQL_STYLE: GraphiqlFile = { package: 'graphiql', path: 'graphiql.min.css' }

/** All files that the published package needs, with the licences. */
export const GRAPHIQL_FILES: readonly GraphiqlFile[] = [
  ...GRAPHIQL_SCRIPTS,
  GRAPHIQL_STYLE,
  ...GRAPHIQL_SCRIPTS.map(({ package: name }) => ({ package: name, path: 'LICENSE' })),
]

const COPIES = join(import.meta.dirname, 'graphiql')

/** Reads a file; null if it is not installed, such as in a clone without development packages. */
export function readGraphiql(file: GraphiqlFile): string | null {
  const copy = join(COPIES, copyName(file))
  const path = existsSync(copy) ? copy : installedPath(file)
  return path === null ? null : readFileSync(path, 'utf8')
}

/** The name of the copy of a file in the published package. */
export function copyName({ package: name, path }: GraphiqlFile): string {
  return `${name}-${path.split('/').at(-1)}`
}

export function installedPath({ package: name, path }: GraphiqlFile): string | null {
  try {
    const found = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path)
    // Another version of GraphiQL may have other files.
    return existsSync(found) ? found : null
  } catch {
    return null
  }
}
