// The last step of `npm run lint`: two linters read the OpenAPI document, and fail on any finding. Neither may ask a server
// for updates, or report how it is used.
import { join } from 'node:path'
import { $ } from 'zx'

const FILE = 'generated/openapi.json'
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

const run = $({
  cwd: join(import.meta.dirname, '..'),
  preferLocal: true,
  env: { ...process.env, ...QUIET },
  nothrow: true,
  quiet: true,
})
const results = await Promise.all([
  run`redocly lint ${FILE} --extends=recommended-strict --format=stylish`,
  run`spectral lint ${FILE} --ruleset .ci/spectral.yaml --fail-severity hint`,
])
for (const result of results.filter(({ exitCode }) => exitCode !== 0)) {
  process.stderr.write(`${result.stdout}${result.stderr}`)
  process.exitCode = 1
}
