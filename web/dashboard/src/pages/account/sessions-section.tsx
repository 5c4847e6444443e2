import { useQuery } from '@tanstack/react-query'
import type { SessionList } from '../../../../../src/features/accounts/operations/people.ts'
import { internal, internalQuery } from '../../api/internal.ts'
import { confirmFirst } from '../../app/dialogs.tsx'
import { toCacheChange, useOptimisticMutation } from '../../app/optimistic.ts'
import { queryClient } from '../../app/query-client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ItemRow, ItemRows } from '../../ui/item-rows.tsx'
import { Section } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { plural, rich, t } from '../../words/words.ts'

export const sessionsQuery = { ...internalQuery('listSessions'), queryKey: ['listSessions'] }

type OwnSession = SessionList['sessions'][number]

export function SessionsSection() {
  const query = useQuery(sessionsQuery)
  const end = useOptimisticMutation({
    send: (sessionId: string) => internal('endSession', { params: { sessionId } }),
    changes: (sessionId) => [
      toCacheChange<SessionList>(sessionsQuery.queryKey, ({ sessions }) => ({
        sessions: sessions.filter((one) => one.sessionId !== sessionId),
      })),
    ],
    failed: t('The session was not ended'),
    invalidates: () => [sessionsQuery.queryKey],
  })
  const others = (query.data?.sessions ?? []).filter(({ isThis }) => !isThis).length
  return (
    <Section
      title={t('Sessions')}
      about={t('Where you are signed in. A session expires after 30 days without use.')}
      actions={
        others > 0 && (
          <Button onClick={() => confirmEndOtherSessions(others)}>{t('Sign out everywhere else')}</Button>
        )
      }
    >
      <Loaded query={query} isSmall skeleton={<SkeletonRows count={2} />}>
        {({ sessions }) => (
          <ItemRows label={t('Sessions')}>
            {sessions.map((session) => (
              <SessionRow
                key={session.sessionId}
                session={session}
                onEnd={() => end.mutate(session.sessionId)}
              />
            ))}
          </ItemRows>
        )}
      </Loaded>
    </Section>
  )
}

function confirmEndOtherSessions(count: number): void {
  confirmFirst({
    title: t('Sign out everywhere else?'),
    action: t('Sign out other sessions'),
    text: plural(
      count,
      '{count} other session ends immediately. This one stays.',
      '{count} other sessions end immediately. This one stays.',
    ),
    run: async () => {
      await internal('endOtherSessions')
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  })
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const { userAgent, address, isThis, lastSeenAt } = session
  const when = <RelativeTime at={lastSeenAt} />
  const isPhone = /Mobile|Android|iPhone/.test(userAgent ?? '')
  return (
    <ItemRow
      sign={<Icon name={isPhone ? 'smartphone' : 'monitor'} class="text-soft" />}
      title={
        <span class="flex items-center gap-2" title={userAgent ?? undefined}>
          <PlainText text={describeAgent(userAgent)} />
          {isThis && <Badge tone="accent">{t('This session')}</Badge>}
        </span>
      }
      about={
        address === null
          ? rich('last used {when}', { when })
          : rich('from {address} · last used {when}', { address, when })
      }
    >
      {!isThis && (
        <Button size="small" onClick={onEnd}>
          {t('End', { context: 'verb' })}
        </Button>
      )}
    </ItemRow>
  )
}

const BROWSERS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const OPERATING_SYSTEMS = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac OS X', 'Linux']

function describeAgent(agent: string | null): string {
  if (agent === null) return t('Unknown browser')
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1]
  const system = OPERATING_SYSTEMS.find((name) => agent.includes(name))?.replace(' OS X', '')
  if (browser === undefined) return agent.slice(0, 60)
  return system === undefined ? browser : t('{browser} on {system}', { browser, system })
}
