/** Example command lines in the help, with what each does. test/reconcile/commands/help.test.ts parses each of them. */
export const EXAMPLES: { readonly [command: string]: readonly (readonly [line: string, does: string])[] } = {
  validate: [
    ['validate', 'the files in models/'],
    ['validate --models site/models --format json', 'for a program that reads the findings'],
  ],
  rename: [
    ['rename characteristics temp room-temperature', 'rename it everywhere, and keep its data'],
    ['rename organizations lindenhof/west east', 'a unit within an organization'],
  ],
  plan: [
    ['plan', 'compare with the platform in .holdfast/'],
    ['plan --url https://acme.example.com --out plan.json', 'keep the plan, to apply exactly that'],
    ['plan --against export.yaml', 'offline'],
    ['plan --detailed-exitcode', 'for scripts: 0 no changes, 2 changes, 3 blocked'],
  ],
  apply: [
    ['apply', 'plan, show the plan, ask, and apply it'],
    ['apply plan.json', 'apply the kept plan, or refuse'],
    ['apply --yes --allow deletes-data:organizations/old-tenant', 'acknowledge one guard, this time'],
  ],
  export: [
    ['export --out models', 'one file for each record type'],
    ['export --format json', 'one document, to a program'],
  ],
  adopt: [
    ['adopt', 'show what was changed on the platform, ask, and write it into the files'],
    ['adopt characteristics/room-temperature --field symbol', 'one field of one record'],
    ['adopt --pull-request', 'by a pull request, and leave the files here as they are'],
  ],
  rollback: [
    ['rollback', 'undo the latest apply'],
    ['rollback 018f3f6e-6f0c-7b7e-8a53-1f6c9f1f0a11', 'undo the apply with this uuid ("history" lists it)'],
    ['rollback --pull-request', 'open the pull request that reverts its commits'],
  ],
  history: [
    ['history', 'the latest applies'],
    ['history 018f3f6e-6f0c-7b7e-8a53-1f6c9f1f0a11', 'everything that one apply did'],
  ],
  invite: [['invite anna@example.com', 'a link by which Anna sets a password']],
  'access why': [
    ['access why anna@example.com', 'her grants, and how she can sign in'],
    ['access why anna@example.com --claims token.json', 'what a token of another provider may do here'],
  ],
  'trust github': [
    ['trust github acme/models --url https://acme.example.com', 'in the repository of the models'],
    ['trust github acme/models --owners @acme/platform', 'also say who owns holdfast.yaml'],
  ],
  'keys rotate': [['keys rotate', 'sign with another key from now on']],
  types: [
    ['types --out src/model.ts', 'what the models describe, for an app in TypeScript'],
    ['types --out src/model.ts --watch', 'write the types whenever a model changes'],
    ['types --out src/model.ts --check', 'in CI: fail if the file is out of date'],
  ],
  serve: [
    ['serve', 'on http://localhost:3000, with its data in .holdfast/'],
    ['serve --workers 4', 'on PostgreSQL (DATABASE_URL), by four processes'],
  ],
  distribute: [
    ['distribute --check', 'whether the cluster behind DATABASE_URL is ready'],
    ['distribute', 'begin, or continue after an interruption'],
    ['distribute --move acme db2.example.com:5432', 'move the domain acme to this worker'],
  ],
  simulate: [
    ['simulate', 'a house with a week of data, and what happens in it from now on'],
    ['simulate --systems 20 --days 30 --once', 'past data of twenty houses only'],
  ],
  doctor: [
    ['doctor', 'files, sign-in, platform, step by step'],
    ['doctor --url https://acme.example.com', 'of a platform elsewhere'],
  ],
  init: [
    ['init site', 'a repository with example models, in site/'],
    ['init site --gitlab', 'with a pipeline of GitLab'],
    ['init . --from-platform --url https://acme.example.com', 'with what lives on a platform'],
  ],
  'ci plan': [['ci plan', 'in a job of a pull request']],
  'ci apply': [['ci apply', 'in a job of a push to the branch']],
  'ci drift': [['ci drift', 'in a job on a schedule']],
  completions: [
    ['completions bash > ~/.local/share/bash-completion/completions/holdfast', 'bash'],
    ['completions zsh > "${fpath[1]}/_holdfast"', 'zsh'],
    ['completions fish > ~/.config/fish/completions/holdfast.fish', 'fish'],
  ],
}

/** The examples of a command as the end of its help. */
export function examplesText(command: string): string {
  const lines = EXAMPLES[command] ?? []
  if (lines.length === 0) return ''
  return `\nExamples:\n${lines.map(([line, does]) => `  # ${does}\n  holdfast ${line}\n`).join('')}`
}
