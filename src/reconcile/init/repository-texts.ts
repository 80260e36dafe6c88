import { PIPELINE_FILES, type Forge } from './other-forges.ts'

// These are the other files of a repository of models.

export const EDITOR_SETTINGS = `{
  "yaml.schemas": {
    "./schemas/import-document.schema.json": ["models/**/*.yaml", "models/**/*.yml", "!models/holdfast.yaml"],
    "./schemas/settings.schema.json": ["models/holdfast.yaml"]
  },
  "json.schemas": [{ "fileMatch": ["/models/**/*.json"], "url": "./schemas/import-document.schema.json" }]
}
`

export const EDITOR_EXTENSIONS = `{ "recommendations": ["redhat.vscode-yaml"] }
`

export const IGNORED = `node_modules/
.holdfast/
.env
/plan.json
`

/** How to install the command. Once there is a package of this name at npm: `npm install --global holdfast`. */
const INSTALL = '`npm ci && npm link` in a clone of Holdfast'

const INTRODUCTION = `# Data model

The data model of our platform. Holdfast makes the platform equal to the files in [models/](models).

- **Change it** in a branch. The pull request shows the plan; merging it applies exactly that plan.
- **Blocked?** The plan prints the lines for [models/holdfast.yaml](models/holdfast.yaml); they are reviewed with the change.
- **Drift**, what somebody changed on the platform, becomes an issue that closes by itself.

At your own desk, with Node.js 24.7 or newer and ${INSTALL}:

\`\`\`sh
holdfast validate    # the files alone
holdfast plan        # against a platform of your own in .holdfast/, or --url https://…
holdfast apply       # to the same one, after a question
\`\`\`
`

const GITHUB = `## Setting up GitHub, once

\`\`\`sh
holdfast trust github OWNER/NAME --url https://…    # as an administrator of the platform
\`\`\`

makes what the platform needs, so that the jobs sign in without a secret, and prints the commands for what GitHub needs:

1. The variable \`HOLDFAST_URL\` of the repository is the address of the platform, unless the workflow names it.
2. The environment \`production\` has the people who must agree to an apply as required reviewers, and \`main\` as its only
   branch.
3. \`main\` is protected: pull requests with a review that a later push dismisses, also by the owners of
   \`models/holdfast.yaml\`, and the check \`plan / plan\`.
`

const GITLAB = `## Setting up GitLab, once

1. The platform trusts the project: rules of an authentication method with GitLab as its issuer. docs/how-to/gitlab.md of
   Holdfast has them, ready to be filled in.
2. The variable \`HOLDFAST_URL\` of the project is the address of the platform, unless \`.gitlab-ci.yml\` has it. The masked
   variable \`HOLDFAST_GITLAB_TOKEN\` is a project access token with the scope \`api\` and the role Reporter: it comments.
3. The environment \`production\` is protected, with the people who must agree to an apply; \`main\` is protected too, with
   approvals that a later push removes.
`

const GITEA = `## Setting up Gitea or Forgejo, once

1. The platform trusts the repository. In Forgejo: rules of an authentication method with the forge as its issuer. In Gitea,
   which gives its jobs no tokens: an application consumer and two machine users, whose passwords are secrets of the
   repository. docs/how-to/gitea.md of Holdfast has both.
2. The variable \`HOLDFAST_URL\` of the repository is the address of the platform, unless the workflow names it.
3. \`main\` is protected, with approvals that a later push removes. There is no second agreement to an apply: it runs when a
   pull request is merged.
`

/** The text for a repository without a pipeline. It stays correct with a pipeline, as `init` never changes a README. */
function withoutPipeline(forge: Forge): string {
  const option = forge === 'github' ? '' : ` --${forge}`
  return `## The pipeline

Without \`${PIPELINE_FILES[forge]}\`, pull requests get no plan, and merges apply nothing. This writes the file, with the commit of Holdfast that is to run:

\`\`\`sh
holdfast init .${option} --url https://… --action OWNER/NAME@COMMIT
\`\`\`

`
}

const SETUPS = { github: GITHUB, gitlab: GITLAB, gitea: GITEA } as const

/** The README of a repository at a forge. */
export function readmeText(forge: Forge, hasPipeline: boolean): string {
  return `${INTRODUCTION}\n${hasPipeline ? '' : withoutPipeline(forge)}${SETUPS[forge]}`
}
