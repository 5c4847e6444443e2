/** `octavo webhooks`: manages webhook endpoints and their deliveries. */
import { resolveProgramCommand } from '../../app/operator/program-call.ts'
import {
  type CreateWebhookBody,
  DELIVERY_STATUSES,
  EVENT_TYPES,
  WEBHOOK_FORMATS,
  type Webhook,
} from '../../features/webhooks/operations/webhooks.ts'
import { type OperatorApi, ORG_FLAG, withErrorMessages, withOrganization, withServer } from '../api-client.ts'
import type { Command } from '../command.ts'
import { parseWholeNumber } from '../flags.ts'
import { RefusedError } from '../operator-error.ts'

export const webhooksCreate: Command = {
  name: 'webhooks create',
  summary: 'Create a webhook; its signing secret is shown only once.',
  worksOn: 'data',
  flags: {
    url: { value: 'address', help: 'URL that events are sent to.', isRequired: true },
    events: {
      value: 'list',
      help: `Events, separated by commas: ${EVENT_TYPES.join(', ')}. Default: all events of the format.`,
    },
    format: {
      value: 'format',
      help: 'events (default) sends signed JSON; slack sends text messages to an incoming webhook of Slack or a compatible chat app.',
    },
    project: { value: 'id or domain', help: 'Only events of this project.' },
    org: ORG_FLAG,
  },
  async run({ flag, print }) {
    const events = flag('events')
      ?.split(',')
      .map((event) => event.trim())
    const body: CreateWebhookBody = {
      url: flag('url') as string,
      format: readFormat(flag('format')),
      ...(events && { events: readEvents(events) }),
    }
    const webhook = await withServer(async ({ call, findProject, chooseOrganization }) => {
      const named = flag('project')
      const project = named === undefined ? undefined : await findProject(named)
      await chooseOrganization(flag('org') ?? project?.organizationId)
      return call('createWebhook', { body: { ...body, ...(project && { projectId: project.id }) } })
    })
    print.result(webhook, [webhook.secret ?? webhook.webhookId])
    if (webhook.secret !== null)
      print.note(`${webhook.webhookId}: save the secret now. It is not shown again.`)
    return 0
  },
}

export const webhooksList: Command = {
  name: 'webhooks list',
  summary: 'List the webhooks of an organization.',
  worksOn: 'data',
  flags: { org: ORG_FLAG },
  async run({ flag, print }) {
    const { webhooks } = await withOrganization(flag('org'), ({ call }) =>
      call('listWebhooks', { query: { limit: 100 } }),
    )
    const rows = webhooks.map((webhook) => [
      webhook.webhookId,
      webhook.url,
      webhook.projectId ?? 'all projects',
      webhook.events.length === EVENT_TYPES.length ? 'all events' : webhook.events.join(','),
      describeState(webhook),
    ])
    print.list(
      webhooks,
      ['ID', 'ADDRESS', 'PROJECT', 'EVENTS', 'STATE'],
      rows,
      `There is no webhook yet. Create one: ${resolveProgramCommand()} webhooks create --url https://example.com/hook`,
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
    status: { value: 'status', help: 'Only pending, delivered or dead deliveries.' },
    limit: { value: 'number', help: 'Number of entries, 1 to 100. Default: 50.' },
  },
  async run({ positionals, flag, print }) {
    const limit = parseWholeNumber('limit', flag('limit') ?? '50', 100)
    const status = DELIVERY_STATUSES.find((known) => known === flag('status'))
    if (flag('status') !== undefined && status === undefined)
      throw new RefusedError(`--status must be one of ${DELIVERY_STATUSES.join(', ')}.`)
    const { deliveries } = await withWebhook(positionals[0] as string, ({ call }, params) =>
      call('listWebhookDeliveries', { params, query: { limit, ...(status && { status }) } }),
    )
    const rows = deliveries.map((delivery) => [
      delivery.deliveryId,
      delivery.type,
      delivery.status,
      String(delivery.attempts),
      delivery.createdAt,
      delivery.error ?? (delivery.responseStatus === null ? '' : String(delivery.responseStatus)),
    ])
    print.list(
      deliveries,
      ['ID', 'EVENT', 'STATUS', 'TRIES', 'CREATED', 'ANSWER'],
      rows,
      'There is no matching delivery.',
    )
    return 0
  },
}

export const webhooksReplay: Command = {
  name: 'webhooks replay',
  summary: 'Resend one delivery of a webhook, or all dead ones.',
  worksOn: 'data',
  positionals: ['webhook'],
  flags: { delivery: { value: 'id', help: 'Delivery to resend. Default: all dead deliveries.' } },
  async run({ positionals, flag, print }) {
    const deliveryId = flag('delivery')
    const replayed = await withWebhook(positionals[0] as string, async ({ call }, params) => {
      if (deliveryId !== undefined) {
        await call('replayWebhookDelivery', { params: { ...params, deliveryId } })
        return 1
      }
      for (let replayed = 0; ; ) {
        const some = await call('replayWebhook', { params })
        replayed += some.replayed
        if (!some.hasMore) return replayed
      }
    })
    print.result({ replayed, hasMore: false }, [`${replayed} will be sent again.`])
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
    await withWebhook(webhookId, ({ call }, params) => call('deleteWebhook', { params }))
    print.result({ webhookId }, [`${webhookId} is deleted.`])
    return 0
  },
}

function withWebhook<Answer>(
  webhookId: string,
  work: (server: OperatorApi, params: { webhookId: string }) => Promise<Answer>,
): Promise<Answer> {
  return withServer((server) =>
    withErrorMessages(work(server, { webhookId }), {
      not_found: `There is no webhook ${webhookId}, or it has no such delivery.`,
    }),
  )
}

function readFormat(text = 'events'): NonNullable<CreateWebhookBody['format']> {
  const format = WEBHOOK_FORMATS.find((known) => known === text)
  if (format === undefined) throw new RefusedError(`--format must be one of ${WEBHOOK_FORMATS.join(', ')}.`)
  return format
}

function readEvents(names: readonly string[]): NonNullable<CreateWebhookBody['events']> {
  const unknown = names.filter((name) => !EVENT_TYPES.some((type) => type === name))
  if (unknown.length > 0)
    throw new RefusedError(`Unknown event ${unknown.join(', ')}. The events are ${EVENT_TYPES.join(', ')}.`)
  return EVENT_TYPES.filter((type) => names.includes(type))
}

function describeState(webhook: Webhook): string {
  if (!webhook.enabled) return `off: ${webhook.disabledReason}`
  return webhook.failures === 0 ? 'on' : `on, ${webhook.failures} failed attempts`
}
