/** `octavo webhooks`: manages webhook endpoints and their deliveries. */
import { chooseOrganization, chooseProject } from '../../app/operator/administration.ts'
import { programCall } from '../../app/operator/program-call.ts'
import {
  addWebhook,
  listWebhookDeliveries,
  listWebhooks,
  removeWebhook,
  replayWebhook,
} from '../../app/operator/webhooks.ts'
import { EVENT_TYPES } from '../../features/webhooks/operations/webhooks.ts'
import { type Command, UsageError } from '../command.ts'
import { table } from '../table.ts'
import { withDatabase } from '../with-database.ts'

const ORG = { value: 'id', help: 'Organization; the only one there is when left out.' }

export const webhooksCreate: Command = {
  name: 'webhooks create',
  summary: 'Make a webhook. Its signing secret is shown once.',
  worksOn: 'data',
  flags: {
    url: { value: 'address', help: 'Where events are sent.', isRequired: true },
    events: {
      value: 'list',
      help: `Which events, separated by commas; those of the format when left out. ${EVENT_TYPES.join(', ')}.`,
    },
    format: {
      value: 'format',
      help: 'events: signed JSON. slack: sentences, for an incoming address of a chat. events when left out.',
    },
    project: { value: 'id or domain', help: 'Only events of this project.' },
    org: ORG,
  },
  async run({ flag, print }) {
    const events = flag('events')
      ?.split(',')
      .map((event) => event.trim())
    const webhook = await withDatabase(async (context, secrets) => {
      const named = flag('project')
      const project = named === undefined ? undefined : await chooseProject(context, named)
      const { id } = await chooseOrganization(context, flag('org') ?? project?.organizationId)
      return addWebhook(context, secrets, id, {
        url: flag('url') as string,
        events,
        format: flag('format'),
        projectId: project?.id,
      })
    })
    print.result(webhook, [webhook.secret ?? webhook.webhookId])
    if (webhook.secret !== null)
      print.note(`${webhook.webhookId}: keep the secret now, it is not shown again.`)
    return 0
  },
}

export const webhooksList: Command = {
  name: 'webhooks list',
  summary: 'List the webhooks of an organization.',
  worksOn: 'data',
  flags: { org: ORG },
  async run({ flag, print }) {
    const webhooks = await withDatabase(async (context) => {
      const { id } = await chooseOrganization(context, flag('org'))
      return listWebhooks(context, id)
    })
    const rows = webhooks.map((webhook) => [
      webhook.webhookId,
      webhook.url,
      webhook.projectId ?? 'all projects',
      webhook.events.length === EVENT_TYPES.length ? 'all events' : webhook.events.join(','),
      describeState(webhook),
    ])
    print.result(
      webhooks,
      rows.length === 0
        ? [
            `There is no webhook yet. Make one: ${programCall()} webhooks create --url https://example.com/hook`,
          ]
        : table([['ID', 'ADDRESS', 'PROJECT', 'EVENTS', 'STATE'], ...rows]),
    )
    return 0
  },
}

export const webhooksDeliveries: Command = {
  name: 'webhooks deliveries',
  summary: 'List the newest deliveries of a webhook.',
  worksOn: 'data',
  positionals: ['webhook'],
  flags: {
    status: { value: 'status', help: 'Only pending, delivered or dead ones.' },
    limit: { value: 'number', help: 'How many, 1 to 100; 50 when left out.' },
  },
  async run({ positionals, flag, print }) {
    const limit = readLimit(flag('limit') ?? '50')
    const deliveries = await withDatabase((context) =>
      listWebhookDeliveries(context, positionals[0] as string, { status: flag('status'), limit }),
    )
    const rows = deliveries.map((delivery) => [
      delivery.deliveryId,
      delivery.type,
      delivery.status,
      String(delivery.attempts),
      delivery.createdAt,
      delivery.error ?? (delivery.responseStatus === null ? '' : String(delivery.responseStatus)),
    ])
    print.result(
      deliveries,
      rows.length === 0
        ? ['There is no such delivery.']
        : table([['ID', 'EVENT', 'STATUS', 'TRIES', 'CREATED', 'ANSWER'], ...rows]),
    )
    return 0
  },
}

export const webhooksReplay: Command = {
  name: 'webhooks replay',
  summary: 'Send deliveries of a webhook again: one, or all that are dead.',
  worksOn: 'data',
  positionals: ['webhook'],
  flags: { delivery: { value: 'id', help: 'The one; all that are dead when left out.' } },
  async run({ positionals, flag, print }) {
    const answer = await withDatabase((context) =>
      replayWebhook(context, positionals[0] as string, flag('delivery')),
    )
    print.result(answer, [`${answer.replayed} will be sent again.`])
    return 0
  },
}

export const webhooksDelete: Command = {
  name: 'webhooks delete',
  summary: 'Delete a webhook and its deliveries.',
  worksOn: 'data',
  positionals: ['webhook'],
  flags: {},
  async run({ positionals, print }) {
    const webhookId = positionals[0] as string
    await withDatabase((context) => removeWebhook(context, webhookId))
    print.result({ webhookId }, [`${webhookId} is deleted.`])
    return 0
  },
}

function describeState(webhook: {
  enabled: boolean
  disabledReason: string | null
  failures: number
}): string {
  if (!webhook.enabled) return `off: ${webhook.disabledReason}`
  return webhook.failures === 0 ? 'on' : `on, ${webhook.failures} failed tries`
}

function readLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > 100) throw new UsageError('--limit must be a whole number from 1 to 100.')
  return limit
}
