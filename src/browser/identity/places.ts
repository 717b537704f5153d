declare global {
  namespace Intl {
    interface Locale {
      /** ECMA-402, "Intl.Locale info": not yet in the types of the language. */
      getTimeZones?(): string[] | undefined;
    }
  }
}

/** Where most people of a country are: the time zone, and the coordinates of the capital. */
export interface Place {
  timeZone: string;
  latitude: number;
  longitude: number;
}

/** The countries that most requests name. Of the others only the time zone is known. */
const PLACES: Readonly<Record<string, readonly [timeZone: string, latitude: number, longitude: number]>> = {
  AE: ['Asia/Dubai', 24.4539, 54.3773],
  AR: ['America/Argentina/Buenos_Aires', -34.6037, -58.3816],
  AT: ['Europe/Vienna', 48.2082, 16.3738],
  AU: ['Australia/Sydney', -35.2809, 149.13],
  BE: ['Europe/Brussels', 50.8503, 4.3517],
  BG: ['Europe/Sofia', 42.6977, 23.3219],
  BR: ['America/Sao_Paulo', -15.7939, -47.8828],
  CA: ['America/Toronto', 45.4215, -75.6972],
  CH: ['Europe/Zurich', 46.948, 7.4474],
  CL: ['America/Santiago', -33.4489, -70.6693],
  CN: ['Asia/Shanghai', 39.9042, 116.4074],
  CO: ['America/Bogota', 4.711, -74.0721],
  CZ: ['Europe/Prague', 50.0755, 14.4378],
  DE: ['Europe/Berlin', 52.52, 13.405],
  DK: ['Europe/Copenhagen', 55.6761, 12.5683],
  EE: ['Europe/Tallinn', 59.437, 24.7536],
  EG: ['Africa/Cairo', 30.0444, 31.2357],
  ES: ['Europe/Madrid', 40.4168, -3.7038],
  FI: ['Europe/Helsinki', 60.1699, 24.9384],
  FR: ['Europe/Paris', 48.8566, 2.3522],
  GB: ['Europe/London', 51.5072, -0.1276],
  GR: ['Europe/Athens', 37.9838, 23.7275],
  HK: ['Asia/Hong_Kong', 22.3193, 114.1694],
  HR: ['Europe/Zagreb', 45.815, 15.9819],
  HU: ['Europe/Budapest', 47.4979, 19.0402],
  ID: ['Asia/Jakarta', -6.2088, 106.8456],
  IE: ['Europe/Dublin', 53.3498, -6.2603],
  IL: ['Asia/Jerusalem', 31.7683, 35.2137],
  IN: ['Asia/Kolkata', 28.6139, 77.209],
  IT: ['Europe/Rome', 41.9028, 12.4964],
  JP: ['Asia/Tokyo', 35.6762, 139.6503],
  KR: ['Asia/Seoul', 37.5665, 126.978],
  KZ: ['Asia/Almaty', 51.1694, 71.4491],
  LT: ['Europe/Vilnius', 54.6872, 25.2797],
  LV: ['Europe/Riga', 56.9496, 24.1052],
  MX: ['America/Mexico_City', 19.4326, -99.1332],
  MY: ['Asia/Kuala_Lumpur', 3.139, 101.6869],
  NG: ['Africa/Lagos', 9.0765, 7.3986],
  NL: ['Europe/Amsterdam', 52.3676, 4.9041],
  NO: ['Europe/Oslo', 59.9139, 10.7522],
  NZ: ['Pacific/Auckland', -41.2866, 174.7756],
  PE: ['America/Lima', -12.0464, -77.0428],
  PH: ['Asia/Manila', 14.5995, 120.9842],
  PK: ['Asia/Karachi', 33.6844, 73.0479],
  PL: ['Europe/Warsaw', 52.2297, 21.0122],
  PT: ['Europe/Lisbon', 38.7223, -9.1393],
  RO: ['Europe/Bucharest', 44.4268, 26.1025],
  RS: ['Europe/Belgrade', 44.7866, 20.4489],
  RU: ['Europe/Moscow', 55.7558, 37.6173],
  SA: ['Asia/Riyadh', 24.7136, 46.6753],
  SE: ['Europe/Stockholm', 59.3293, 18.0686],
  SG: ['Asia/Singapore', 1.3521, 103.8198],
  SI: ['Europe/Ljubljana', 46.0569, 14.5058],
  SK: ['Europe/Bratislava', 48.1486, 17.1077],
  TH: ['Asia/Bangkok', 13.7563, 100.5018],
  TR: ['Europe/Istanbul', 39.9334, 32.8597],
  TW: ['Asia/Taipei', 25.033, 121.5654],
  UA: ['Europe/Kyiv', 50.4501, 30.5234],
  US: ['America/New_York', 38.9072, -77.0369],
  VN: ['Asia/Ho_Chi_Minh', 21.0278, 105.8342],
  ZA: ['Africa/Johannesburg', -25.7479, 28.2293],
};

/** @param country ISO 3166-1 alpha-2, upper case */
export function placeOf(country: string): Place | undefined {
  const [timeZone, latitude, longitude] = PLACES[country] ?? [];
  if (timeZone === undefined || latitude === undefined || longitude === undefined) return undefined;
  return { timeZone, latitude, longitude };
}

/** The time zone of most people of a country, or the first one of a small country. Undefined when there is no such country. */
export function timeZoneOf(country: string): string | undefined {
  return placeOf(country)?.timeZone ?? new Intl.Locale(`und-${country}`).getTimeZones?.()?.[0];
}
