/** Where the people of a region's cluster most likely live; only the first guess, see `chooseZone`. */
const ZONES: ReadonlyMap<string, string> = new Map([
  ['us-east', 'America/New_York'],
  ['us-west', 'America/Los_Angeles'],
  ['us-gov', 'America/New_York'],
  ['ca-central', 'America/Toronto'],
  ['ca-west', 'America/Edmonton'],
  ['mx-central', 'America/Mexico_City'],
  ['sa-east', 'America/Sao_Paulo'],
  ['eu-west-1', 'Europe/Dublin'],
  ['eu-west-2', 'Europe/London'],
  ['eu-west-3', 'Europe/Paris'],
  ['eu-central-1', 'Europe/Berlin'],
  ['eu-central-2', 'Europe/Zurich'],
  ['eu-north', 'Europe/Stockholm'],
  ['eu-south-1', 'Europe/Rome'],
  ['eu-south-2', 'Europe/Madrid'],
  ['il-central', 'Asia/Jerusalem'],
  ['me-south', 'Asia/Bahrain'],
  ['me-central', 'Asia/Dubai'],
  ['af-south', 'Africa/Johannesburg'],
  ['ap-south', 'Asia/Kolkata'],
  ['ap-northeast-1', 'Asia/Tokyo'],
  ['ap-northeast-2', 'Asia/Seoul'],
  ['ap-northeast-3', 'Asia/Tokyo'],
  ['ap-southeast-1', 'Asia/Singapore'],
  ['ap-southeast-2', 'Australia/Sydney'],
  ['ap-southeast-3', 'Asia/Jakarta'],
  ['ap-southeast-4', 'Australia/Melbourne'],
  ['ap-east', 'Asia/Hong_Kong'],
  ['cn-', 'Asia/Shanghai'],
]);

export function zoneOfRegion(region: string): string {
  return [...ZONES].find(([prefix]) => region.startsWith(prefix))?.[1] ?? 'UTC';
}
