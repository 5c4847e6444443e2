/** Configuration of forges: the kind of each host, and the GitHub App. */
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { splitList } from '../../base/text/split-list.ts'
import type { ForgeKind } from '../../git/forges/forge-location.ts'
import type { GithubApp } from '../../git/forges/github-app.ts'
import type { Text } from './read-setting.ts'

export interface ForgeConfig {
  kinds: Readonly<Record<string, ForgeKind>>
}

const KINDS: Readonly<Record<string, ForgeKind>> = {
  github: 'github',
  gitlab: 'gitlab',
  gitea: 'gitea',
  forgejo: 'gitea',
  bitbucket: 'bitbucket',
}

export function readForgeConfig(text: Text): ForgeConfig {
  const pairs = parseForgePairs(text('forges')).map(([host, kind]) => [host, KINDS[kind]] as const)
  const known = pairs.filter((pair): pair is readonly [string, ForgeKind] => pair[1] !== undefined)
  return { kinds: Object.fromEntries(known) }
}

/** Reads the GitHub App. Returns null if there is none or its key cannot be read, which `forgeFaults` reports. */
export function readGithubApp(text: Text): GithubApp | null {
  const [appId, file] = [text('githubAppId'), text('githubAppKeyFile')]
  const privateKey = file === null ? null : readKey(file)
  return appId === null || privateKey === null ? null : { appId, privateKey }
}

export function forgeFaults(text: Text): string[] {
  const faults: string[] = []
  const isWrong = ([host, kind]: [string, string]) =>
    !/^[a-z0-9.-]+(:\d+)?$/.test(host) || KINDS[kind] === undefined
  if (parseForgePairs(text('forges')).some(isWrong))
    faults.push(
      'OCTAVO_FORGES must be <host>=<kind>, separated by commas, where the kind is github, gitlab, gitea, forgejo or bitbucket.',
    )
  const [appId, file] = [text('githubAppId'), text('githubAppKeyFile')]
  if ((appId === null) !== (file === null))
    faults.push(
      'OCTAVO_GITHUB_APP_ID and OCTAVO_GITHUB_APP_KEY_FILE must be used together. Set both or neither.',
    )
  if (appId !== null && !/^[\w.-]+$/.test(appId))
    faults.push('OCTAVO_GITHUB_APP_ID must be the ID or client ID of the app.')
  if (file !== null && readKey(file) === null)
    faults.push('OCTAVO_GITHUB_APP_KEY_FILE must be a file with the private key of the app.')
  return faults
}

function readKey(file: string): string | null {
  try {
    const key = readFileSync(file, 'utf8')
    return createPrivateKey(key).asymmetricKeyType === 'rsa' ? key : null
  } catch {
    return null
  }
}

/** Parses `<host>=<kind>` pairs separated by commas, in lower case. */
function parseForgePairs(value: string | null): [string, string][] {
  return splitList(value).map((pair) => {
    const [host = '', kind = ''] = pair.toLowerCase().split('=')
    return [host.trim(), kind.trim()]
  })
}
