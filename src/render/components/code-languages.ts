/** Labels and icons of languages, for code blocks without a title. */

interface Language {
  name: string
  icon: string
  /** Whether the icon is a Font Awesome brand instead of a Lucide icon. */
  isBrand: boolean
}

const brand = (name: string, icon: string): Language => ({ name, icon, isBrand: true })
const plain = (name: string, icon: string): Language => ({ name, icon, isBrand: false })

const SHELL = plain('Shell', 'terminal')
const LANGUAGES: Record<string, Language> = {
  bash: plain('Bash', 'terminal'),
  sh: SHELL,
  shell: SHELL,
  zsh: SHELL,
  console: SHELL,
  curl: plain('cURL', 'terminal'),
  powershell: plain('PowerShell', 'terminal'),
  cmd: plain('Command Prompt', 'terminal'),
  javascript: brand('JavaScript', 'js'),
  js: brand('JavaScript', 'js'),
  jsx: brand('JSX', 'react'),
  typescript: plain('TypeScript', 'file-code'),
  ts: plain('TypeScript', 'file-code'),
  tsx: brand('TSX', 'react'),
  node: brand('Node.js', 'node-js'),
  python: brand('Python', 'python'),
  py: brand('Python', 'python'),
  go: brand('Go', 'golang'),
  rust: brand('Rust', 'rust'),
  java: brand('Java', 'java'),
  php: brand('PHP', 'php'),
  swift: brand('Swift', 'swift'),
  ruby: plain('Ruby', 'gem'),
  html: brand('HTML', 'html5'),
  css: brand('CSS', 'css3-alt'),
  markdown: brand('Markdown', 'markdown'),
  md: brand('Markdown', 'markdown'),
  mdx: brand('MDX', 'markdown'),
  dockerfile: brand('Dockerfile', 'docker'),
  docker: brand('Docker', 'docker'),
  json: plain('JSON', 'braces'),
  jsonc: plain('JSON', 'braces'),
  json5: plain('JSON', 'braces'),
  yaml: plain('YAML', 'file-cog'),
  yml: plain('YAML', 'file-cog'),
  toml: plain('TOML', 'file-cog'),
  ini: plain('INI', 'file-cog'),
  env: plain('.env', 'file-lock'),
  sql: plain('SQL', 'database'),
  graphql: plain('GraphQL', 'waypoints'),
  http: plain('HTTP', 'globe'),
  diff: plain('Diff', 'diff'),
  csharp: plain('C#', 'file-code'),
  cpp: plain('C++', 'file-code'),
  c: plain('C', 'file-code'),
  kotlin: plain('Kotlin', 'file-code'),
  xml: plain('XML', 'code-xml'),
  text: plain('Text', 'file-text'),
  txt: plain('Text', 'file-text'),
  plaintext: plain('Text', 'file-text'),
}

export function languageName(language: string): string {
  return find(language)?.name ?? language
}

/** Returns props for the icon of a language, or null if it has none. */
export function languageIcon(language: string): Readonly<Record<string, string>> | null {
  const found = find(language)
  if (found === null) return null
  return found.isBrand
    ? { icon: found.icon, iconType: 'brands', iconLibrary: 'fontawesome' }
    : { icon: found.icon, iconLibrary: 'lucide' }
}

function find(language: string): Language | null {
  const name = language.toLowerCase()
  return Object.hasOwn(LANGUAGES, name) ? (LANGUAGES[name] ?? null) : null
}
