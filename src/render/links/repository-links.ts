/** Returns URLs at a forge, to edit a file or to open an issue. */

export interface Repository {
  /** Clone URL. */
  address: string
  /** Branch or tag; null for the default branch. */
  ref: string | null
  /** Folder of docs.json below the root; empty for the root. */
  docsFolder: string
}

export interface RepositoryLinks {
  /** `path` is relative to the docs folder. */
  edit(path: string): string
  issue(title: string, text: string): string
}

type Host = 'github' | 'gitlab' | 'gitea'

const HOSTS: readonly [RegExp, Host][] = [
  [/(^|[.-])github([.-]|$)/, 'github'],
  [/(^|[.-])gitlab([.-]|$)/, 'gitlab'],
  [/(^|[.-])(gitea|forgejo|codeberg)([.-]|$)/, 'gitea'],
]
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** Returns null for unknown hosts and repositories without HTTPS, because a wrong link is worse than none. */
export function repositoryLinks({ address, ref, docsFolder }: Repository): RepositoryLinks | null {
  const url = URL.parse(address)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
  const host = HOSTS.find(([pattern]) => pattern.test(url.hostname))?.[1]
  const path = url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\.git$/, '')
  if (host === undefined || path.split('/').length < 3) return null
  const base = url.origin + path
  const branch = ref?.replace(/^refs\/(?:heads|tags)\//, '') ?? null
  return {
    edit: (file) => editUrl(host, base, branch, encode(docsFolder === '' ? file : `${docsFolder}/${file}`)),
    issue: (title, text) => issueUrl(host, base, title, text),
  }
}

/** Returns the URL of the editor, which requires a branch, or of the file if there is none. */
function editUrl(host: Host, base: string, branch: string | null, file: string): string {
  const isBranch = branch !== null && !COMMIT.test(branch)
  const ref = encode(branch ?? 'HEAD')
  switch (host) {
    case 'github':
      return `${base}/${isBranch ? 'edit' : 'blob'}/${ref}/${file}`
    case 'gitlab':
      return `${base}/-/${isBranch ? 'edit' : 'blob'}/${ref}/${file}`
    case 'gitea':
      if (isBranch) return `${base}/_edit/${ref}/${file}`
      return `${base}/src/${branch === null ? '' : 'commit/'}${ref}/${file}`
  }
}

function issueUrl(host: Host, base: string, title: string, text: string): string {
  const isGitlab = host === 'gitlab'
  const query = new URLSearchParams([
    [isGitlab ? 'issue[title]' : 'title', title],
    [isGitlab ? 'issue[description]' : 'body', text],
  ])
  return `${base}${isGitlab ? '/-' : ''}/issues/new?${query}`
}

function encode(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
