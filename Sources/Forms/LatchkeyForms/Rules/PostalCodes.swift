import LatchkeyText

/// The formats of postal codes by country.
///
/// The data is based on `postalCodeData` of Unicode Technical Standard 35, which CLDR has since removed. It has updates
/// for countries that changed their codes, which docs/forms.md lists.
enum PostalCodes {
    /// The supported countries, as two-letter codes of ISO 3166-1.
    static var countries: [String] { formats.keys.sorted() }

    /// The case-insensitive patterns of a country, one of which must match a code. Nil for an unknown country.
    static func patterns(of country: String) -> [Pattern]? {
        formats[country]?.compactMap { format in
            let source = format.replacing("#", with: "[0-9]").replacing("@", with: "[A-Z]")
            return try? Pattern("(?i)" + source)
        }
    }

    private static let formats: [String: [String]] = {
        var formats = particular
        for (format, countries) in shared {
            for country in countries.split(separator: " ") { formats[String(country)] = [format] }
        }
        return formats
    }()

    /// Formats that several countries share. `#` is a digit and `@` is a letter; the rest is RE2 syntax.
    private static let shared = [
        "#{3}": "FO GN IS LS MG PG",
        "#{4}": """
        AT AU BD BE BG CH CK CV CY DK ET GE GW HM HU LR LU MD MK NE NO NZ PH PY SI SJ TN VE ZA
        """,
        "#{5}": """
        BA CS DE DO DZ EE EG ES FI GT HN HR ID IQ IT JO KE KW LA LK MA MV MX MY NP PK SA SN SO TH TR UA UY YU ZM
        """,
        "#{6}": "BY CN IN KG KZ MN NG RO RU SG TJ TM UZ",
        "#{3} ?#{2}": "CZ GR SE SK",
    ]

    /// The second half of a postcode of the United Kingdom and the islands.
    private static let inward = "#(#|@)? ?#[ABD-HJLN-UW-Z]{2}"

    /// The optional last four digits of a United States ZIP code.
    private static let plusFour = "([ -]#{4})?"

    private static let particular: [String: [String]] = [
        "AD": ["AD#{3}"], "AM": ["(37)?#{4}"], "AR": ["[A-HJ-NP-Z]?#{4}(@{3})?"], "AS": ["96799"], "AX": ["22#{3}"],
        "AZ": ["(AZ[ -]?)?#{4}"], "HT": ["(HT[ -]?)?#{4}"],
        "BB": ["BB#{5}"], "BH": ["(1[0-2]|[2-9])#{2}"], "BM": ["@{2} ?(#|@){2}"],
        "BN": ["@{2} ?#{4}"], "BR": ["#{5}-?#{3}"],
        "CA": ["[ABCEGHJ-NPRSTVXY]#[ABCEGHJ-NPRSTV-Z] ?#[ABCEGHJ-NPRSTV-Z]#"], "CC": ["6799"], "CL": ["#{7}"],
        "CR": ["#{4,5}", "#{3}-#{4}"], "CX": ["6798"], "EC": ["@#{4}@", "(@{2})?#{6}"], "FK": ["FIQQ 1ZZ"],
        "FM": ["9694[1-4]" + plusFour], "FR": ["#{2} ?#{3}"],
        "GB": [
            "(A[BL]|B[ABDHLNRST]?|C[ABFHMORTVW]|D[ADEGHLNTY]|E[CHNX]?|F[KY]|G[LUY]?)" + inward,
            "(H[ADGPRSUX]|I[GMPV]|JE|K[ATWY]|L[ADELNSU]?|M[EKL]?|N[EGNPRW]?|O[LX]|P[AEHLO]|R[GHM])" + inward,
            "(S[AEGKLMNOPRSTWY]?|T[ADFNQRSW]|UB|W[ACDFNRSV]?|YO|ZE)" + inward, "GIR ?0AA", "BFPO ?#{1,4}",
        ],
        "GF": ["9[78]3#{2}"], "GG": ["GY" + inward], "GL": ["39#{2}"], "GP": ["9[78][01]#{2}"], "GS": ["SIQQ 1ZZ"],
        "GU": ["969[1-3]#" + plusFour],
        "IE": ["(D|DUBLIN)?([1-9]|6W|1[0-8]|2[024])", "(D6W|[AC-FHKNPRTV-Y]#{2}) ?[0-9AC-FHKNPRTV-Y]{4}"],
        "IL": ["#{5}(#{2})?"], "IM": ["IM" + inward], "IO": ["BBND 1ZZ"], "JE": ["JE" + inward], "JP": ["#{3}-#{4}"],
        "KH": ["#{5,6}"], "KR": ["#{5}", "#{3}-#{3}"], "LB": ["#{4}( ?#{4})?"], "LI": ["948[5-9]|949[0-7]"],
        "LT": ["(LT-)?#{5}"], "LV": ["(LV-)?#{4}"], "MC": ["980#{2}"], "ME": ["8#{4}"], "MH": ["969[67]#" + plusFour],
        "MP": ["9695[0-2]" + plusFour], "MQ": ["9[78]2#{2}"], "MT": ["@{3} ?#{2,4}"], "MU": ["#{3}@{2}#{3}", "#{5}"],
        "NC": ["988#{2}"], "NF": ["2899"], "NI": ["#{5}", "(#{4}-)?#{3}-#{3}(-#)?"], "NL": ["#{4} ?@{2}"],
        "OM": ["(PC )?#{3}"], "PF": ["987#{2}"], "PL": ["#{2}-#{3}"], "PM": ["9[78]5#{2}"], "PN": ["PCRN 1ZZ"],
        "PR": ["00[679]#{2}" + plusFour], "PT": ["#{4}(-#{3})?"], "PW": ["96940"], "RE": ["9[78]4#{2}"],
        "RS": ["#{5,6}"], "SH": ["STHL 1ZZ"], "SM": ["4789#"], "SZ": ["[HLMS]#{3}"], "TC": ["TKCA 1ZZ"],
        "TW": ["#{3}(#{2,3})?"], "US": ["#{5}" + plusFour], "VA": ["00120"], "VI": ["008([0-4]#|5[01])" + plusFour],
        "WF": ["986#{2}"], "YT": ["976#{2}"],
    ]
}
