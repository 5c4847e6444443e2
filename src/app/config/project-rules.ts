/** Rules for project sources: members use git repositories; the operator can also use server folders. */

import { createFault, type Fault } from '../../base/errors/fault.ts'
import type { OwnNames } from '../../features/projects/domains/reserved-names.ts'
import type { ProjectRules } from '../../features/projects/project-fields.ts'
import { parseRepository, RepositoryUrlError } from '../../git/repository.ts'
import { isWithinRoots } from '../../git/source-folder.ts'
import type { Config } from './config.ts'

type RulesConfig = Pick<
  Config,
  'git' | 'sourceRoots' | 'publicUrl' | 'port' | 'previewDomain' | 'provesDomains'
>

export function projectRules(config: RulesConfig): (caller: { kind: string }) => ProjectRules {
  const [member, operator] = [memberRules(config), operatorRules(config)]
  return ({ kind }) => (kind === 'operator' ? operator : member)
}

export function memberRules(config: RulesConfig): ProjectRules {
  return {
    grantsFolders: false,
    sourceFault(kind, repository) {
      if (kind === 'git') return addressFault(config, repository)
      // Only the operator can name server folders, because a project can read the folder that it names.
      if (config.sourceRoots.length === 0) return createFault('server_folder', { command: 'create --source' })
      return isWithinRoots(repository, config.sourceRoots) ? null : createFault('closed_folder')
    },
    ownNames: ownNames(config),
    newDomains: { state: config.provesDomains ? 'pending' : 'served', proof: null },
  }
}

export function operatorRules(config: RulesConfig): ProjectRules {
  return {
    grantsFolders: true,
    sourceFault: (kind, repository) => (kind === 'git' ? addressFault(config, repository) : null),
    ownNames: ownNames(config),
    newDomains: { state: 'served', proof: 'operator' },
  }
}

function ownNames({ publicUrl, port, previewDomain }: RulesConfig): OwnNames {
  return { publicUrl: publicUrl ?? `http://localhost:${port}`, previewDomain }
}

/** Returns why git would reject the URL, or null. */
function addressFault({ git }: RulesConfig, repository: string): Fault | null {
  try {
    parseRepository(repository, { allowHttp: git.allowHttp })
    return null
  } catch (error) {
    if (error instanceof RepositoryUrlError) return error.fault
    throw error
  }
}
