/** How this node reaches the repositories of projects. */

import { credentialsFor } from '../git/open-forge.ts'
import type { ProjectSourceDeps } from '../git/project-source.ts'
import type { Secrets } from './config.ts'
import type { DatabaseContext } from './context.ts'
import { forgeSettings } from './forge-config.ts'

export function createProjectSourceDeps(
  { config, folder }: Pick<DatabaseContext, 'config' | 'folder'>,
  secrets: Pick<Secrets, 'gitTokens' | 'githubApp'>,
): ProjectSourceDeps {
  const forges = forgeSettings(config, secrets)
  const { caFile, proxy, sshAgent, allowHttp } = config.git
  return {
    mirrorsFolder: folder.mirrors,
    tokens: secrets.gitTokens,
    makeCredentials: (address, signal) => credentialsFor(address, forges, signal),
    allowHttp,
    settings: { caFile: caFile ?? undefined, proxy: proxy ?? undefined, sshAgent: sshAgent ?? undefined },
  }
}
