/** All commands by their first word, in the order of the overview. Only the command that runs is loaded. */
import type { Command } from './command.ts'

const COMMANDS: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  new: async () => [(await import('./commands/site/new.ts')).newSite],
  import: async () => [(await import('./commands/site/import.ts')).importCommand],
  dev: async () => [(await import('./commands/site/dev.ts')).dev],
  check: async () => [(await import('./commands/site/check.ts')).check],
  truth: async () => [(await import('./commands/site/truth.ts')).truth],
  build: async () => [(await import('./commands/site/build.ts')).build],
  mcp: async () => [(await import('./commands/mcp.ts')).mcp],
  verify: async () => [(await import('./commands/site/verify.ts')).verify],
  diff: async () => [(await import('./commands/site/diff.ts')).diff],
  delta: async () => [(await import('./commands/site/delta.ts')).delta],
  apply: async () => [(await import('./commands/site/delta.ts')).apply],
  start: async () => [(await import('./commands/start.ts')).start],
  open: async () => [(await import('./commands/projects/open.ts')).open],
  doctor: async () => [(await import('./commands/doctor.ts')).doctor],
  backup: async () => {
    const commands = await import('./commands/backup.ts')
    return [commands.backupList, commands.backupVerify, commands.backupCreate]
  },
  restore: async () => [(await import('./commands/backup.ts')).restore],
  'move-database': async () => [(await import('./commands/backup.ts')).moveDatabaseCommand],
  config: async () => [(await import('./commands/config.ts')).config],
  demo: async () => [
    (await import('./commands/demo-agent.ts')).demoAgent,
    (await import('./commands/demo-feedback.ts')).demoFeedback,
    // Last, because the other commands begin with the same word.
    (await import('./commands/demo.ts')).demo,
  ],
  export: async () => [(await import('./commands/export.ts')).exportSite],
  feedback: async () => {
    const commands = await import('./commands/feedback.ts')
    return [
      commands.feedbackList,
      commands.feedbackExport,
      commands.feedbackSetStatus,
      commands.feedbackImport,
      commands.feedbackDelete,
    ]
  },
  agent: async () => {
    const commands = await import('./commands/agent.ts')
    return [
      commands.agentRun,
      commands.agentList,
      commands.agentShow,
      commands.agentFollow,
      commands.agentMessage,
      commands.agentCancel,
      commands.agentPublish,
      commands.agentArchive,
      commands.agentReview,
      commands.agentAccept,
      commands.agentDecline,
    ]
  },
  automations: async () => {
    const commands = await import('./commands/automations.ts')
    return [commands.automationsList, commands.automationsRun]
  },
  deployments: async () => {
    const commands = await import('./commands/projects/deployments.ts')
    return [
      commands.deploymentsList,
      commands.deploymentsShow,
      commands.deploymentsStart,
      commands.deploymentsCancel,
      commands.deploymentsPromote,
      commands.deploymentsRollback,
      commands.deploymentsRelease,
    ]
  },
  previews: async () => {
    const commands = await import('./commands/projects/previews.ts')
    return [commands.previewsList, commands.previewsCreate, commands.previewsRebuild, commands.previewsRemove]
  },
  projects: async () => {
    const { projectsCreate, projectsList, projectsSync, projectsVouch } = await import(
      './commands/projects/projects.ts'
    )
    const { projectsDelete, projectsDeleted, projectsRestore } = await import('./commands/projects/delete.ts')
    const { projectsArchive, projectsArchived, projectsUnarchive } = await import(
      './commands/projects/archive.ts'
    )
    const { projectsTransfer } = await import('./commands/projects/transfer.ts')
    const { projectsWidgets } = await import('./commands/site/widgets.ts')
    const { projectsAgent } = await import('./commands/projects/agent-settings.ts')
    const { projectsCodeAdd, projectsCodeList, projectsCodeRemove } = await import(
      './commands/projects/code.ts'
    )
    return [
      projectsCreate,
      projectsList,
      projectsSync,
      projectsVouch,
      projectsWidgets,
      projectsAgent,
      projectsCodeAdd,
      projectsCodeList,
      projectsCodeRemove,
      projectsDelete,
      projectsDeleted,
      projectsRestore,
      projectsArchive,
      projectsArchived,
      projectsUnarchive,
      projectsTransfer,
    ]
  },
  keys: async () => {
    const { keysCreate, keysList, keysRevoke } = await import('./commands/accounts/keys.ts')
    return [keysCreate, keysList, keysRevoke]
  },
  'signing-key': async () => [(await import('./commands/accounts/signing-key.ts')).signingKey],
  orgs: async () => {
    const commands = await import('./commands/accounts/orgs.ts')
    return [commands.orgsCreate, commands.orgsList, commands.orgsSetPlan]
  },
  storage: async () => {
    const { storageKeep, storageShow, storageSweep } = await import('./commands/storage.ts')
    return [storageSweep, storageKeep, storageShow]
  },
  members: async () => {
    const commands = await import('./commands/accounts/members.ts')
    return [commands.membersInvite, commands.membersList, commands.membersResetPassword]
  },
  'sign-in': async () => {
    const { signInReset } = await import('./commands/accounts/sign-in.ts')
    return [signInReset]
  },
  operators: async () => {
    const { operatorsAdd, operatorsList, operatorsRemove } = await import('./commands/accounts/operators.ts')
    return [operatorsAdd, operatorsList, operatorsRemove]
  },
  audit: async () => {
    const { auditPrune, auditVerify } = await import('./commands/accounts/audit.ts')
    return [auditVerify, auditPrune]
  },
  webhooks: async () => {
    const commands = await import('./commands/webhooks.ts')
    return [
      commands.webhooksCreate,
      commands.webhooksList,
      commands.webhooksDeliveries,
      commands.webhooksReplay,
      commands.webhooksDelete,
    ]
  },
}

/** Loads only the commands with the same first word. */
export async function loadCommand(name: string): Promise<Command> {
  const known = (await COMMANDS[name.split(' ', 1)[0] as string]?.()) ?? []
  const command = known.find((one) => one.name === name)
  if (!command) throw new Error(`the command ${name} is documented but missing: run npm run reference`)
  return command
}

export async function allCommands(): Promise<readonly Command[]> {
  return (await Promise.all(Object.values(COMMANDS).map((load) => load()))).flat()
}
