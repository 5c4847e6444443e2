/** Addresses at the git host of a repository: where a file is edited, and where an issue is written. */

export interface Repository {
  /** As it is cloned. */
  address: string
  /** Null: the default branch. */
  ref: string | null
  /** Where docs.json lies below the root; empty: at the root. */
  docsFolder: string
}

export interface RepositoryLinks {
  /** `path` lies below the docs folder. */
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

/** Null for what readers cannot open by https, and for hosts whose addresses are not known: no link is better than a wrong one. */
export function repositoryLinks({ address, ref, docsFolder }: Repository): RepositoryLinks | null {
  const url = URL.parse(address)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
  const host = HOSTS.find(([pattern]) => pattern.test(url.hostname))?.[1]
  const path = url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\.git$/, '')
  if (host === undefined || path.split('/').length < 3) return null
  const base = url.origin + path
  const branch = ref?.replace(/^refs\/(?:heads|tags)\//, '') ?? null
  return {
    edit: (file) =>
      editAddress(host, base, branch, encode(docsFolder === '' ? file : `${docsFolder}/${file}`)),
    issue: (title, text) => issueAddress(host, base, title, text),
  }
}

/** An editor needs the name of a branch; without one the file is shown, from where its editor is a click away. */
function editAddress(host: Host, base: string, branch: string | null, file: string): string {
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

function issueAddress(host: Host, base: string, title: string, text: string): string {
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
