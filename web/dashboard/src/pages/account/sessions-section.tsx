import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import type { SessionList } from '../../../../../src/features/accounts/operations/people.ts'
import { internal, internalQuery } from '../../api/internal.ts'
import { toCacheChange, useOptimisticMutation } from '../../app/optimistic.ts'
import { queryClient } from '../../app/query-client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Section } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { ErrorState, SkeletonRows } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { plural, rich, t } from '../../words/words.ts'

export const sessionsQuery = { ...internalQuery('listSessions'), queryKey: ['listSessions'] }

type OwnSession = SessionList['sessions'][number]

export function SessionsSection() {
  const { data, error, refetch } = useQuery(sessionsQuery)
  const [isAsking, setAsking] = useState(false)
  const end = useOptimisticMutation({
    send: (sessionId: string) => internal('endSession', { params: { sessionId } }),
    changes: (sessionId) => [
      toCacheChange<SessionList>(sessionsQuery.queryKey, ({ sessions }) => ({
        sessions: sessions.filter((one) => one.sessionId !== sessionId),
      })),
    ],
    failed: t('The session is still open'),
    invalidates: () => [sessionsQuery.queryKey],
  })
  const others = (data?.sessions ?? []).filter(({ isThis }) => !isThis)
  return (
    <Section
      title={t('Sessions')}
      about={t('Where you are signed in. A session ends 30 days after it was last used.')}
      actions={
        others.length > 0 && <Button onClick={() => setAsking(true)}>{t('Sign out everywhere else')}</Button>
      }
    >
      <Card>
        {error !== null && <ErrorState error={error} isSmall onRetry={refetch} />}
        {data === undefined && error === null && <SkeletonRows count={2} />}
        {data?.sessions.map((session) => (
          <SessionRow key={session.sessionId} session={session} onEnd={() => end.mutate(session.sessionId)} />
        ))}
      </Card>
      {isAsking && (
        <ConfirmDialog
          title={t('Sign out everywhere else?')}
          action={t('Sign out other sessions')}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await internal('endOtherSessions')
            await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
          }}
        >
          <p>
            {plural(
              others.length,
              '{count} other session ends at once. This one stays.',
              '{count} other sessions end at once. This one stays.',
            )}
          </p>
        </ConfirmDialog>
      )}
    </Section>
  )
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const { userAgent, address, isThis, lastSeenAt } = session
  const when = <RelativeTime at={lastSeenAt} />
  const isPhone = /Mobile|Android|iPhone/.test(userAgent ?? '')
  return (
    <div class="flex min-h-13 items-center gap-3 border-b border-line px-4 py-2 last:border-b-0">
      <Icon name={isPhone ? 'smartphone' : 'monitor'} class="text-soft" />
      <div class="min-w-0 flex-1">
        <p class="flex items-center gap-2">
          <span class="truncate" title={userAgent ?? undefined}>
            <PlainText text={describeAgent(userAgent)} />
          </span>
          {isThis && <Badge tone="accent">{t('This session')}</Badge>}
        </p>
        <p class="truncate text-13 text-soft">
          {address === null
            ? rich('last used {when}', { when })
            : rich('from {address} · last used {when}', { address, when })}
        </p>
      </div>
      {!isThis && (
        <Button size="small" onClick={onEnd}>
          {t('End', { context: 'verb' })}
        </Button>
      )}
    </div>
  )
}

const BROWSERS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac OS X', 'Linux']

function describeAgent(agent: string | null): string {
  if (agent === null) return t('Unknown browser')
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1]
  const system = SYSTEMS.find((name) => agent.includes(name))?.replace(' OS X', '')
  if (browser === undefined) return agent.slice(0, 60)
  return system === undefined ? browser : t('{browser} on {system}', { browser, system })
}
