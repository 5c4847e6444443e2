import { PageHeader } from '../../ui/page.tsx'

export function OverviewPage() {
  return <PageHeader title="Overview" />
}
