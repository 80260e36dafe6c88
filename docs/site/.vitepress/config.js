import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

// The pages are README.md, and those of docs/ and generated/, as they are. Which are listed, and in which order, says
// docs/README.md.

const CONFIG = fileURLToPath(import.meta.url)
const ROOT = join(dirname(CONFIG), '../../..')
/** Where GitHub Pages has the site: /NAME/ */
const BASE = process.env.SITE_BASE || '/'
/** Where the site is, such as https://acme.github.io, for what others show of a page. */
const ORIGIN = process.env.SITE_ORIGIN
/** Whose pages these are; GitHub Actions says so. */
const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env
const REPOSITORY = GITHUB_REPOSITORY && `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`
const SHARED_PICTURE = 'docs/console-light.webp'
const INDEX = 'docs/README.md'
const PAGES = /^(?:README\.md|CONTRIBUTING\.md|docs\/(?:[\w-]+\/)?[\w.-]+\.md|generated\/[\w-]+\.md)$/
const NAMES = { 'README.md': 'index', [INDEX]: 'pages', 'CONTRIBUTING.md': 'contributing' }

/** The mark of the console (src/server/mark.ts), in a blue that is seen on light tabs and on dark ones. */
const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 18 18"><path d="M1 6.5h16M1 11.5h16M6 2v14M12 2v14" fill="none" stroke="#3d7fd1" stroke-width="2.25" stroke-linecap="round"/></svg>`

/** The address of a page is short, wherever its file is. */
const nameOf = (path) => NAMES[path] ?? posix.basename(path, '.md')

const MARK_ADDRESS = `data:image/svg+xml,${encodeURIComponent(MARK)}`

const index = readFileSync(join(ROOT, INDEX), 'utf8')

/** What the list of pages says about each, by its path. */
const descriptions = new Map(
  [...index.matchAll(/^- \[[^\]]+\]\(([^)]+)\): (.+)$/gm)].map(([, target, text]) => [
    posix.join('docs', target),
    text,
  ]),
)

function sidebar() {
  const [, ...parts] = index.split('\n## ')
  return parts.map((part) => ({
    text: part.split('\n')[0],
    items: [...part.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, text, target]) => ({
      text,
      link: `/${nameOf(posix.join('docs', target))}`,
    })),
  }))
}

/** What pages link to and is none. */
const linked = new Set(ORIGIN ? [SHARED_PICTURE] : [])

/** In the files links are as GitHub follows them. */
function followLinks(markdown) {
  markdown.core.ruler.push('links-between-files', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const [target, anchor] = token.type === 'link_open' ? token.attrGet('href').split('#') : ['']
      if (target === '' || /^[a-z]+:/.test(target)) continue
      const path = relative(ROOT, join(dirname(env.realPath ?? env.path), target)).replaceAll('\\', '/')
      if (!PAGES.test(path)) linked.add(path)
      const address = PAGES.test(path) ? `/${nameOf(path)}`.replace(/^\/index$/, '/') : `${BASE}files/${path}`
      token.attrSet('href', anchor === undefined ? address : `${address}#${anchor}`)
      if (!PAGES.test(path)) token.attrSet('target', '_blank')
    }
  })
}

/** What the search knows of a page; decisions are for those who change Holdfast. */
function textOf(source, env, markdown) {
  return env.relativePath.startsWith('docs/decisions/') ? '' : markdown.render(source, env)
}

function putBeside(outDir, path) {
  const [from, to] = [join(ROOT, path), join(outDir, 'files', path)]
  cpSync(from, to, { recursive: true })
  if (!statSync(from).isDirectory()) return
  const names = readdirSync(from).map((name) => `<li><a href="${name}">${name}</a></li>`)
  writeFileSync(join(to, 'index.html'), `<!doctype html><title>${path}</title><ul>${names.join('')}</ul>\n`)
}

/** The pages are outside of this folder, and packages are in it. */
const vueOfThisFolder = {
  name: 'vue-of-this-folder',
  enforce: 'pre',
  resolveId(id, _importer, options) {
    if (!/^vue(?:$|\/)/.test(id)) return null
    return options.ssr ? { id, external: true } : this.resolve(id, CONFIG, { ...options, skipSelf: true })
  },
}

/** Vite only warns of a file that is not there, and the pages would lose their fonts. */
const everyFileIsThere = {
  name: 'every-file-is-there',
  configResolved({ logger }) {
    for (const level of ['warn', 'warnOnce']) {
      const say = logger[level]
      logger[level] = (message, options) => {
        if (message.includes("didn't resolve at build time")) throw new Error(message)
        say(message, options)
      }
    }
  },
}

/** What is shown of a page where somebody shares its address. */
function headOf({ pageData: { title, description } }) {
  const shared = { 'og:title': title, 'og:description': description, 'og:site_name': 'Holdfast' }
  const picture = ORIGIN && {
    'og:image': `${ORIGIN}${BASE}files/${SHARED_PICTURE}`,
    'twitter:card': 'summary_large_image',
  }
  return Object.entries({ ...shared, ...picture }).map(([property, content]) => ['meta', { property, content }])
}

export default defineConfig({
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: MARK_ADDRESS }]],
  title: 'Holdfast',
  description: 'A device data platform, and the reconciler that keeps its data model in Git',
  base: BASE,
  srcDir: '../..',
  srcExclude: ['!(docs|generated|README.md|CONTRIBUTING.md)/**', 'docs/site/**'],
  rewrites: (path) => `${nameOf(path)}.md`,
  cleanUrls: true,
  // Files are put beside the pages at the end, and a server of one's own is not there.
  ignoreDeadLinks: [/\/files\//, /^http:\/\/localhost/],
  markdown: { config: followLinks },
  vite: { publicDir: false, plugins: [vueOfThisFolder, everyFileIsThere], server: { fs: { allow: [ROOT] } } },
  buildEnd({ outDir }) {
    for (const path of linked) putBeside(outDir, path)
  },
  transformPageData(page) {
    const description = descriptions.get(page.filePath)
    if (description !== undefined) page.description = `${page.title}: ${description}`
    // Nobody edits what is generated.
    if (page.filePath.startsWith('generated/')) page.frontmatter.editLink = false
  },
  transformHead: headOf,
  themeConfig: {
    logo: MARK_ADDRESS,
    ...(REPOSITORY && {
      socialLinks: [{ icon: 'github', link: REPOSITORY }],
      editLink: { pattern: `${REPOSITORY}/edit/main/:path`, text: 'Edit this page' },
    }),
    nav: [
      { text: 'Quick start', link: '/quick-start' },
      { text: 'All pages', link: '/pages' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local', options: { _render: textOf, detailedView: true } },
    footer: { message: 'Licensed under Apache-2.0' },
  },
})
