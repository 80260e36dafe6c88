import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { splitStatements } from '../../src/db/read-migrations.ts'

it.each([
  ['nothing', ' -- only a comment; really\n', []],
  ['one without an end', 'select 1 ', ['select 1']],
  ['comments before, between and after', '-- a; b\nselect 1; /* c; d */ select 2;\n-- e', ['select 1', 'select 2']],
  ['a comment within', 'select 1 -- one; only\n+ 1;', ['select 1 -- one; only\n+ 1']],
  ['texts and names', `select ';''' as "a;"";" ; select $1`, [`select ';''' as "a;"";"`, 'select $1']],
  ['minus, division and an empty one', 'select 1 - 2 / 3;; select 4', ['select 1 - 2 / 3', 'select 4']],
  [
    'the body of a function',
    `create function f() returns int as $$ begin return 1; end $$; do $of$ select $$;$$; $of$ ;`,
    ['create function f() returns int as $$ begin return 1; end $$', 'do $of$ select $$;$$; $of$'],
  ],
])('a script is split: %s', (_, script, statements) => {
  expect(splitStatements(script)).toStrictEqual(statements)
})

it('nothing of a migration is lost but what stands between its statements', () => {
  const folder = new URL('../../src/db/migrations/', import.meta.url)
  const text = readFileSync(new URL('0011-store-flush.sql', folder), 'utf8')
  expect(splitStatements(text)).toStrictEqual([text.slice(text.indexOf('create function')).replace(/;\n$/, '')])
})
