import { expect, it } from 'vitest'
import { GRAPHIQL_FILES, installedPath, readGraphiql } from '../../src/console/graphiql-files.ts'

it('finds each file of GraphiQL, and the licences', () => {
  const found = GRAPHIQL_FILES.map((file) => [file.package, file.path, (readGraphiql(file) ?? '').length > 1_000])
  expect(found).toStrictEqual(GRAPHIQL_FILES.map(({ package: name, path }) => [name, path, true]))
})

it.each([
  ['of a package that is not installed', { package: 'no-such-package', path: 'index.js' }],
  ['that another version of a package has', { package: 'react', path: 'umd/no-such-file.js' }],
])('finds no file %s', (_, file) => {
  expect([installedPath(file), readGraphiql(file)]).toStrictEqual([null, null])
})
