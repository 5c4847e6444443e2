/** `octavo automations`: agent jobs that start automatically, through the API. */
import { RUN_REASONS } from '../../base/api/form-choices.ts'
import { openProjectApi, PROJECT_API_FLAGS } from '../api-client.ts'
import type { Command } from '../command.ts'
import { oneLine } from '../one-line.ts'

export const automationsList: Command = {
  name: 'automations list',
  summary: 'List the automations of a project, newest first.',
  worksOn: 'api',
  flags: PROJECT_API_FLAGS,
  async run({ flag, print }) {
    const { client, project } = await openProjectApi({ flag })
    const answer = await client.call('listAutomations', { params: { projectId: project.id } })
    const rows = answer.automations.map(({ automationId, name, trigger, paused, dryRun, lastRunAt }) => [
      automationId,
      trigger.kind,
      paused ? 'paused' : dryRun ? 'dry run' : 'on',
      lastRunAt ?? '',
      oneLine(name),
    ])
    print.list(
      answer,
      ['ID', 'TRIGGER', 'STATE', 'LAST RUN', 'NAME'],
      rows,
      'There is no automation yet. Create one on the dashboard, under Agent.',
    )
    return 0
  },
}

export const automationsRun: Command = {
  name: 'automations run',
  summary: 'Run an automation now.',
  worksOn: 'api',
  positionals: ['automation'],
  flags: PROJECT_API_FLAGS,
  async run({ positionals, flag, print }) {
    const { client, project } = await openProjectApi({ flag })
    const params = { projectId: project.id, automationId: positionals[0] ?? '' }
    const run = await client.call('runAutomation', { params }, { idempotencyKey: crypto.randomUUID() })
    const outcomeText = run.reason === null ? `${run.state}: agent job ${run.jobId}` : RUN_REASONS[run.reason]
    print.result(run, [outcomeText])
    return 0
  },
}
