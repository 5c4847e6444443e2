/** Validation of project sources, shared by the command line and the HTTP API. */

import { FORM_FAULTS } from '../../base/errors/form-faults.ts'
import type { OwnNames } from '../../features/projects/domains/reserved-names.ts'
import type { ProjectRules } from '../../features/projects/project-fields.ts'
import { GitError } from '../../git/git-error.ts'
import { parseRepository } from '../../git/repository.ts'
import { isWithinRoots } from '../../git/source-folder.ts'
import type { Config } from './config.ts'

/** Only the operator may name server folders, because a project can read the folder that it names. */
export const FOLDER_FAULT = FORM_FAULTS.serverFolder
const ROOTS_FAULT = FORM_FAULTS.closedFolder

type RulesConfig = Pick<
  Config,
  'git' | 'sourceRoots' | 'publicUrl' | 'port' | 'previewDomain' | 'provesDomains'
>

export function memberRules(config: RulesConfig): ProjectRules {
  return {
    grantsFolders: false,
    sourceFault(kind, repository) {
      if (kind === 'git') return addressFault(config, repository)
      if (config.sourceRoots.length === 0) return FOLDER_FAULT
      return isWithinRoots(repository, config.sourceRoots) ? null : ROOTS_FAULT
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

/** Returns why git would refuse the URL, regardless of what is there, or null. */
function addressFault({ git }: RulesConfig, repository: string): string | null {
  try {
    parseRepository(repository, { allowHttp: git.allowHttp })
    return null
  } catch (error) {
    if (error instanceof GitError) return error.message.replace(/\.$/, '')
    throw error
  }
}
