import { PageHeader } from '../../ui/page.tsx'

export function NowherePage() {
  return <PageHeader title="Welcome" />
}
