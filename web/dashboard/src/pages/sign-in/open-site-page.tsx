import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'preact/hooks'
import { internal } from '../../api/internal.ts'
import { Skeleton } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { Explanation, VisitorPage } from './visitor-page.tsx'

export function OpenSitePage() {
  const query = new URLSearchParams(location.search)
  const [host, state, to] = ['host', 'state', 'to'].map((name) => query.get(name) ?? '')
  const { data, error } = useQuery({
    queryKey: ['openSite', host, state],
    queryFn: () => internal('openSite', { body: { host: host ?? '', state: state ?? '', to: to || '/' } }),
    retry: false,
    gcTime: 0,
  })
  useEffect(() => {
    if (data !== undefined) location.replace(data.url)
  }, [data])
  if (error !== null)
    return (
      <VisitorPage
        title={
          host ? t('You do not have access to {host}', { host }) : t('You do not have access to this site')
        }
        about={<Explanation error={error} />}
      />
    )
  return (
    <VisitorPage title={t('Opening {host}', { host: host ?? '' })}>
      <Skeleton class="h-10 w-full" />
    </VisitorPage>
  )
}
