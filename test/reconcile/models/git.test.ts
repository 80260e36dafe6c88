import { expect, it } from 'vitest'
import { runGit, withoutPasswords } from '../../../src/reconcile/models/git.ts'

it('on Windows, no git.exe of a directory of models runs', async () => {
  expect(await runGit(['--version'], { cwd: '.', env: process.env })).toMatchObject({ isDone: true })
  expect(process.env['NoDefaultCurrentDirectoryInExePath']).toBe('1')
})

it.each([
  ['https://token@git.example/a', 'https://git.example/a'],
  ['ssh://git:p@ss@git.example/a, and https://git.example/b@c', 'ssh://git.example/a, and https://git.example/b@c'],
])('hides the password of %s', (text, shown) => {
  expect(withoutPasswords(text)).toBe(shown)
})
