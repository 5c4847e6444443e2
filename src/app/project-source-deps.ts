/** How this node reaches the repositories of projects. */
import type { ProjectSourceDeps } from '../git/project-source.ts'
import type { Secrets } from './config.ts'
import type { DatabaseContext } from './context.ts'

export function createProjectSourceDeps(
  { config, folder }: Pick<DatabaseContext, 'config' | 'folder'>,
  { gitTokens }: Pick<Secrets, 'gitTokens'>,
): ProjectSourceDeps {
  const { caFile, proxy, sshAgent, allowHttp } = config.git
  return {
    mirrorsFolder: folder.mirrors,
    tokens: gitTokens,
    allowHttp,
    settings: { caFile: caFile ?? undefined, proxy: proxy ?? undefined, sshAgent: sshAgent ?? undefined },
  }
}
